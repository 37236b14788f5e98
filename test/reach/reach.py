#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reach.py --kpipe PROGRAM --root DIR [--compile NVCC]: runs kpipe over the tile
# loops of public repositories that reach.tsv, survey.tsv and async.tsv list and
# writes a page for each beside them. DIR holds a checkout of each repository at
# the commit in commits.tsv, as <owner>+<name>. No code of theirs is kept here; a
# loop is named by repository, file, line and function.
#
# With --compile, nvcc compiles each original (device code only) and, where that
# succeeds, what kpipe makes of it. Exit 1 if a share is under its bar, if a loop
# is pipelined that should be refused, or if an output does not compile although
# its original does.

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pages

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, '..', '..', 'runtime', 'include')

# Headers of other projects that host code includes and kernels do not need:
# empty files on the include path stand in for them.
STANDINS = ('c10/cuda/CUDAGuard.h', 'omp.h', 'torch/extension.h',
            'torch/types.h')

Unit = collections.namedtuple('Unit', 'repository path made flags')
Verdict = collections.namedtuple('Verdict', 'kind form stages rules message')
NOT_SEEN = Verdict('not seen', '', 0, (), '')


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return list(csv.DictReader(file, delimiter='\t'))


def unit_of(row):
    return Unit(row['repository'], row['unit'], row.get('made', ''),
                row['flags'])


class Checkouts:
    """The repositories, and what is put beside them for the compiler."""

    def __init__(self, root, folder):
        self.root, self.folder = os.path.abspath(root), folder
        self.empty = os.path.join(folder, 'empty')
        for header in STANDINS:
            path = os.path.join(self.empty, header)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, 'w').close()

    def repository(self, name):
        return os.path.join(self.root, name.replace('/', '+'))

    def source(self, unit, repository):
        """The file to parse. A header that no .cu of its project includes in a
        way that stands alone is parsed through a .cu that only includes it."""
        path = os.path.join(repository, unit.path)
        if not unit.made:
            return path
        name = re.sub(r'\W', '_', unit.repository + '_' + unit.path) + '.cu'
        made = os.path.join(self.folder, 'made-' + name)
        with open(made, 'w') as file:
            file.write(f'#include "{path}"\n')
        return made

    def flags(self, unit, repository):
        return shlex.split(unit.flags.replace('{repo}', repository)
                           .replace('{empty}', self.empty)
                           .replace('{root}', self.root))


def command_of(options, path, instantiate, report):
    command = [options.kpipe, 'rewrite', path, '--arch=' + options.arch,
               '--report=' + report, '--header-filter=.*']
    if options.cuda_path:
        command.append('--cuda-path=' + options.cuda_path)
    return command + ['--instantiate=' + i for i in instantiate]


def verdict_of(made):
    if made['verdict'] == 'pipelined':
        return Verdict('pipelined', made['variant'], made['stages'], (), '')
    reasons = [r for r in made['reasons'] if r.get('id')]
    rules = tuple(dict.fromkeys(r['id'] for r in reasons))
    message = reasons[0]['message'] if reasons else ''
    if made['verdict'] == 'already pipelined':
        return Verdict('already pipelined', '', 0, rules,
                       re.sub('^already pipelined:? *', '', message))
    return Verdict('refused', '', 0, rules,
                   re.sub('^not pipelined: ', '', message))


def parse(options, checkouts, unit, instantiate, logs):
    """The verdicts of a unit's loops, by file and line."""
    repository = checkouts.repository(unit.repository)
    path = checkouts.source(unit, repository)
    name = re.sub(r'\W', '_', unit.repository + '_' + unit.path)
    report = os.path.join(logs, name + '.json')
    command = command_of(options, path, instantiate, report)
    try:
        said = subprocess.run(
            command + ['-n', '--'] + checkouts.flags(unit, repository),
            capture_output=True, text=True, errors='replace', timeout=600)
        words = said.stderr
    except subprocess.TimeoutExpired:
        words = 'timeout'
    with open(os.path.join(logs, name + '.txt'), 'w') as file:
        file.write(words)
    found = {}
    if not os.path.exists(report):
        return found
    with open(report) as file:
        loops = json.load(file)['loops']
    for loop in loops:
        key = (os.path.realpath(loop['file']), loop['line'])
        verdict = verdict_of(loop['archs'][0])
        # Of a template's instantiations, the one that is pipelined counts.
        if key not in found or verdict.kind == 'pipelined':
            found[key] = verdict
    return found


def parse_all(options, checkouts, rows, logs):
    """Adds each row's verdict as row['verdict']."""
    units = collections.OrderedDict()
    for row in rows:
        wanted = units.setdefault(unit_of(row), [])
        if row['instantiate'] and row['instantiate'] not in wanted:
            wanted.append(row['instantiate'])
    verdicts = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(parse, options, checkouts, unit, wanted, logs)
                for unit, wanted in units.items()]
        for number, job in enumerate(jobs):
            for key, verdict in job.result().items():
                if verdicts.get(key, NOT_SEEN).kind != 'pipelined':
                    verdicts[key] = verdict
            print(f'\r{number + 1}/{len(jobs)}', end='', file=sys.stderr)
    print(file=sys.stderr)
    for row in rows:
        path = os.path.join(checkouts.repository(row['repository']),
                            row['file'])
        row['verdict'] = verdicts.get(
            (os.path.realpath(path), int(row['line'])), NOT_SEEN)
    return units


def compiles(options, path, flags):
    """None if nvcc takes a file, else its words."""
    command = [options.compile, '-arch=' + options.arch, '-cubin', '-o',
               os.devnull, '-w', '-I' + RUNTIME, path]
    try:
        said = subprocess.run(command + flags, capture_output=True, text=True,
                              errors='replace', timeout=options.limit)
    except subprocess.TimeoutExpired:
        return 'timeout'
    return None if said.returncode == 0 else said.stderr or 'failed'


def restore(original, copy):
    """Undoes what was written in a copy since it was made."""
    for folder, _, names in os.walk(copy):
        for name in names:
            path = os.path.join(folder, name)
            before = os.path.join(original, os.path.relpath(path, copy))
            if not os.path.exists(before):
                os.remove(path)
            elif os.stat(path).st_mtime_ns != os.stat(before).st_mtime_ns:
                shutil.copy2(before, path)


def compile_all(options, checkouts, units, logs):
    """For each unit: does the original compile, and does the output? An output
    is made in a copy of the repository, since it may change headers."""
    made = {}
    for number, (unit, instantiate) in enumerate(units.items()):
        print(f'\rcompiling {number + 1}/{len(units)}', end='',
              file=sys.stderr)
        original = checkouts.repository(unit.repository)
        words = compiles(options, checkouts.source(unit, original),
                         checkouts.flags(unit, original))
        name = re.sub(r'\W', '_', unit.repository + '_' + unit.path)
        with open(os.path.join(logs, name + '.nvcc'), 'w') as file:
            file.write(words or '')
        made[unit] = (words is None, True)
        if words is not None:
            continue
        copy = os.path.join(checkouts.folder, 'copy',
                            unit.repository.replace('/', '+'))
        if not os.path.exists(copy):
            shutil.copytree(os.path.realpath(original), copy)
        path = checkouts.source(unit, copy)
        flags = checkouts.flags(unit, copy)
        report = os.path.join(checkouts.folder, 'rewritten.json')
        subprocess.run(command_of(options, path, instantiate, report)
                       + ['-i', '--'] + flags, capture_output=True)
        words = compiles(options, path, flags)
        with open(os.path.join(logs, name + '.output.nvcc'), 'w') as file:
            file.write(words or '')
        made[unit] = (True, words is None)
        restore(os.path.realpath(original), copy)
    print(file=sys.stderr)
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--root', required=True)
    parser.add_argument('--list', choices=pages.PAGES, help='only this list')
    parser.add_argument('--only', metavar='REGEX', help='only rows whose '
                        'repository or unit matches; no page is written')
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--cuda-path', help='root of a CUDA toolkit for kpipe')
    parser.add_argument('--compile', metavar='NVCC')
    parser.add_argument('--limit', type=int, default=300,
                        help='seconds for one run of nvcc')
    parser.add_argument('--jobs', '-j', type=int, default=1)
    parser.add_argument('--logs', help='folder for what kpipe and nvcc say')
    parser.add_argument('--bar', type=float, default=85)
    parser.add_argument('--bar-staged', type=float, default=75)
    options = parser.parse_args()
    passed = True
    commits = {r['repository']: r['commit'] for r in read('commits.tsv')}
    with tempfile.TemporaryDirectory() as folder:
        checkouts = Checkouts(options.root, folder)
        logs = options.logs or os.path.join(folder, 'logs')
        os.makedirs(logs, exist_ok=True)
        for name in [options.list] if options.list else pages.PAGES:
            rows = [r for r in read(name + '.tsv') if re.search(
                options.only or '', r['repository'] + ' ' + r['unit'])]
            units = parse_all(options, checkouts, rows, logs)
            compiled = compile_all(options, checkouts, units, logs) \
                if options.compile else None
            sums = pages.Sums(rows)
            if not options.only:
                pages.write(name, rows, sums, options, compiled, commits)
            pages.say(name, rows, sums, options, compiled)
            passed &= sums.passes(options)
            passed &= not compiled or all(o for _, o in compiled.values())
    return 0 if passed else 1


if __name__ == '__main__':
    sys.exit(main())
