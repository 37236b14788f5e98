#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reach.py --kpipe PROGRAM --root DIR: runs kpipe over the tile loops of public
# repositories that reach.tsv lists and prints the lists of reach.md. DIR
# holds a checkout of each as <owner>+<name>. No code of theirs is kept here; a
# loop is named by repository, file, line and function. Exit 1 if fewer than
# --bar percent of the distinct loops are pipelined.

import argparse
import collections
import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(kpipe, arch, path, flags, instantiate):
    """The loops of one report: {(file, line): (verdict, words)}."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report.json')
        command = [kpipe, 'rewrite', path, '--arch=' + arch, '-n',
                   '--report=' + report, '--header-filter=.*']
        command += ['--instantiate=' + i for i in instantiate]
        subprocess.run(command + ['--'] + flags, capture_output=True,
                       timeout=300)
        if not os.path.exists(report):
            return {}
        with open(report) as file:
            loops = json.load(file)['loops']
    found = {}
    for loop in loops:
        made = loop['archs'][0]
        key = (os.path.realpath(loop['file']), loop['line'])
        if made['verdict'] == 'pipelined':
            found[key] = ('pipelined',
                          f"{made['variant']}, {made['stages']} stage"
                          + ('' if made['stages'] == 1 else 's'))
        elif found.get(key, ('',))[0] != 'pipelined':
            rules = [r.get('id', '') for r in made['reasons']]
            found[key] = ('refused', ', '.join(dict.fromkeys(rules)))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--root', required=True)
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--bar', type=float, default=75)
    options = parser.parse_args()
    with open(os.path.join(HERE, 'reach.tsv')) as file:
        rows = list(csv.DictReader(file, delimiter='\t'))
    empty = tempfile.mkdtemp()
    # Headers of other projects that host code includes and kernels do not need.
    for header in ('torch/extension.h', 'torch/types.h', 'omp.h'):
        path = os.path.join(empty, header)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'w').close()

    def checkout(row):
        return os.path.join(options.root, row['repository'].replace('/', '+'))

    units = collections.OrderedDict()
    for row in rows:
        repo = checkout(row)
        flags = row['flags'].replace('{repo}', repo).replace('{empty}', empty)
        key = (os.path.join(repo, row['unit']), flags)
        wanted = units.setdefault(key, [])
        if row['instantiate'] and row['instantiate'] not in wanted:
            wanted.append(row['instantiate'])
    verdicts = {}
    for number, ((path, flags), instantiate) in enumerate(units.items()):
        print(f'\r{number + 1}/{len(units)}', end='', file=sys.stderr)
        found = run(options.kpipe, options.arch, path, shlex.split(flags),
                    instantiate)
        for key, verdict in found.items():
            if verdicts.get(key, ('',))[0] != 'pipelined':
                verdicts[key] = verdict
    print(file=sys.stderr)
    count = collections.Counter()
    place = ('', '')
    for row in rows:
        key = (os.path.realpath(os.path.join(checkout(row), row['file'])),
               int(row['line']))
        verdict, words = verdicts.get(key, ('not seen', ''))
        if not row['duplicate']:
            count[verdict == 'pipelined'] += 1
        if place[0] != row['repository']:
            print(f"\n## {row['repository']}\n")
        if place != (row['repository'], row['file']):
            print(f"- `{row['file']}`")
        place = (row['repository'], row['file'])
        notes = ['expected to be refused'] * (row['expected'] == 'refuse') \
            + ['copy'] * bool(row['duplicate'])
        print(f"  - {row['line']} `{row['function']}`: {verdict}"
              + (f": {words}" if verdict == 'refused' else
                 f", {words}" if words else '')
              + (f" ({', '.join(notes)})" if notes else ''))
    total = sum(count.values())
    share = 100 * count[True] / max(total, 1)
    print(f'\n{count[True]} of {total} distinct tile loops pipelined, '
          f'{share:.0f} %')
    return 0 if share >= options.bar else 1


if __name__ == '__main__':
    sys.exit(main())
