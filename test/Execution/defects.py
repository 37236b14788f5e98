#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# defects.py EXECUTE FILE.cu: executes each case of a file by itself and prints
# a line for it: in how many of the runs (modes of completion and orders of
# threads) there was a hazard, and the ids of all.

import re
import subprocess
import sys


def main():
    execute, source = sys.argv[1], sys.argv[2]
    with open(source) as f:
        cases = re.findall(r'^(?:CASE|RING)\((\w+)', f.read(), re.M)
    for case in cases:
        output = subprocess.run([execute, source, '--case=' + case],
                                stdout=subprocess.PIPE, text=True).stdout
        runs = re.search(r'(\d+) runs(?:, (\d+) with hazards)?\n', output)
        ids = sorted(set(re.findall(r' \[([a-z-]+)\] \[', output)))
        if 'difference:' in output and not ids:
            ids = ['difference']
        print('%s: %s of %s%s' % (case, runs and (runs[2] or 0),
                                  runs and runs[1],
                                  ''.join(' ' + i for i in ids)))


if __name__ == '__main__':
    main()
