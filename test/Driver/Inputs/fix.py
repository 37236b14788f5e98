#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fix.py REPORT N: makes the N-th fix of each diagnostic of a JSON report that has
# so many.
import json
import sys
from pathlib import Path


def fixes(report):
    for loop in report['loops']:
        for arch in loop['archs']:
            for reason in arch['reasons']:
                for note in reason.get('notes', []):
                    ways = note.get('fixes', [])[int(sys.argv[2]) - 1:]
                    yield from ways[0]['insertions'] if ways else []


insertions = {(i['file'], i['line'], i['column'], i['text'])
              for i in fixes(json.loads(Path(sys.argv[1]).read_text()))}
for file, line, column, text in sorted(insertions, reverse=True):
    lines = Path(file).read_bytes().split(b'\n')
    at = lines[line - 1]
    lines[line - 1] = at[:column - 1] + text.encode() + at[column - 1:]
    Path(file).write_bytes(b'\n'.join(lines))
