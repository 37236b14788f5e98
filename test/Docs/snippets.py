#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# snippets.py ROOT PAGE.md...: each ```cuda block stands under a line
# `<!-- file: PATH -->` and is a piece of that file, line for line.
import re
import sys


def main():
    root, failed, count = sys.argv[1], False, 0
    for page in sys.argv[2:]:
        with open(page, encoding='utf-8') as file:
            parts = file.read().split('\n```cuda\n')
        for before, after in zip(parts, parts[1:]):
            count += 1
            named = re.fullmatch(r'<!-- file: (.*) -->',
                                 before.rsplit('\n', 1)[-1])
            block = after.split('\n```', 1)[0] + '\n'
            if not named:
                print(f'{page}: no file is named above:\n{block}')
                failed = True
                continue
            with open(f'{root}/{named[1]}', encoding='utf-8') as file:
                if '\n' + block not in file.read():
                    print(f'{page}: not so in {named[1]}:\n{block}')
                    failed = True
    print(f'{count} blocks')
    return failed


if __name__ == '__main__':
    sys.exit(main())
