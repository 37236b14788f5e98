#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# twins.py KPIPE: the kernels of twins.tsv are pipelined, as the lists of verdicts
# say, which verdicts.test compares with what is so; with one change each, which
# makes them illegal, they are not. The changes of a file are made all at once.
# The executor runs what is pipelined: rewritten.test.
import collections
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

HERE = os.path.dirname(os.path.abspath(__file__))


def extent(text, kernel):
    """Where a kernel's text begins and ends."""
    begin = re.search(r'\b' + kernel + r'\(', text).start()
    return begin, text.index('\n}\n', begin)


def twin_of(text, rows):
    for row in rows:
        begin, end = extent(text, row['kernel'])
        old, new = (row[side].replace('\\n', '\n') for side in ('from', 'to'))
        at = text.find(old, begin, end)
        if at < 0:
            sys.exit(f"{row['kernel']}: no longer has '{old}'")
        text = text[:at] + new + text[at + len(old):]
    return text


def verdicts(kpipe, source):
    """By function, whether all of its loops are pipelined."""
    report = source + '.json'
    said = subprocess.run([kpipe, 'rewrite', '-n', source, '--arch=sm_86',
                           '--report=' + report], capture_output=True, text=True)
    if not os.path.exists(report):
        sys.exit(said.stderr)
    with open(report) as file:
        loops = json.load(file)['loops']
    found = collections.defaultdict(list)
    for loop in loops:
        found[loop['function'].split('<')[0].split('::')[-1]].append(
            loop['archs'][0]['verdict'])
    return found


def pipelined():
    """(file, kernel) of what the list of verdicts says is pipelined."""
    found, name = set(), ''
    for some in 'Async.verdicts', 'AsyncAlone.verdicts':
        with open(os.path.join(HERE, '..', 'Adversary', 'Inputs', some)) as file:
            for line in file:
                kernel = re.match(r'  (\S+): \d+ stages', line)
                if kernel:
                    found.add((name, kernel[1].split('::')[-1]))
                elif not line.startswith(' '):
                    name = line.strip()
    return found


def main():
    legal = pipelined()
    with open(os.path.join(HERE, 'twins.tsv')) as file:
        rows = list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))
    wrong = 0
    for name in dict.fromkeys(row['file'] for row in rows):
        mine = [row for row in rows if row['file'] == name]
        with open(os.path.join(HERE, name)) as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:
            twin = os.path.join(folder, name)
            with open(twin, 'w') as file:
                file.write(twin_of(text, mine))
            illegal = verdicts(sys.argv[1], twin)
        for row in mine:
            kernel = row['kernel']
            if (name, kernel) not in legal:
                print(f'{name}: {kernel}: not pipelined')
                wrong += 1
            if 'pipelined' in illegal[kernel]:
                print(f"{name}: {kernel}: pipelined, but {row['why']}")
                wrong += 1
    spellings = collections.Counter(row['spelling'] for row in rows)
    for spelling, count in spellings.items():
        print(f'{spelling}: {count}')
    print(f'{len(rows)} kernels, each with a twin, {wrong} wrong')
    return 1 if wrong or len(rows) < 40 else 0


if __name__ == '__main__':
    sys.exit(main())
