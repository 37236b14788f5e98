#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# score.py --work=FOLDER [--only=RE] [--report=FILE]: breaks kpipe in one place
# after the other, rebuilds it and runs the tests until one notices. The test
# that noticed a mutant last time (mutants.md) is asked first, then the suites
# of its file. Works on a copy of the checkout in FOLDER, which keeps its build
# between runs. Prints a line a mutant and the score; exit 1 if a mutant was not
# noticed.
#
# score.py --check: only sees to it that each mutant still fits the source.
import argparse
import os
import re
import shutil
import subprocess
import sys
import time

import mutants

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


TIMEOUT = 1800  # seconds for a build or a suite: broken programs may not end


def misfits():
    """What is wrong with the list itself."""
    names = set()
    for mutant in mutants.ALL:
        with open(os.path.join(ROOT, mutant.file)) as file:
            count = file.read().count(mutant.old)
        if count != 1:
            yield f'{mutant.name}: its text occurs {count} times in {mutant.file}'
        if not any(mutant.file.startswith(p) for p in mutants.SUITES):
            yield f'{mutant.name}: no suite is listed for {mutant.file}'
        if mutant.name in names:
            yield f'{mutant.name}: two mutants have this name'
        names.add(mutant.name)


def suites_of(path):
    """The suites for a file: those of the longest prefix that is listed."""
    best = max((p for p in mutants.SUITES if path.startswith(p)), key=len)
    return mutants.SUITES[best]


def is_unit_test(name):
    return re.fullmatch(r'\w+\.\w+', name) is not None


def is_test(name):
    """A test of lit; its folders begin with a capital, not so its suffix."""
    return re.fullmatch(r'[A-Z]\w*/[\w./-]+', name) is not None


def noticed_last_time():
    """{name of a mutant: [the test that noticed it]}, of mutants.md."""
    first, group = {}, ''
    with open(os.path.join(HERE, 'mutants.md')) as file:
        for line in file:
            if line.startswith('### '):
                group = line[4:].strip()
            elif row := re.fullmatch(r'\| (.*) \| (\S+).* \|\n', line):
                name, who = row.groups()
                if is_unit_test(who) or is_test(who) and os.path.exists(
                        os.path.join(ROOT, 'test', who)):
                    # A heading is what stands before ': ' or the first space.
                    for between in (': ', ' '):
                        first[group + between + name] = [who]
    return first


class Copy:
    """A checkout of its own with a build folder that lives on."""

    def __init__(self, folder):
        self.source = os.path.join(folder, 'source')
        self.build = os.path.join(folder, 'build')
        os.makedirs(self.source, exist_ok=True)
        listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, check=True,
                                capture_output=True, text=True).stdout
        listed = set(filter(None, listed.split('\0')))
        # What the checkout no longer has would fail, whatever is broken.
        for at, _, names in os.walk(self.source):
            for name in names:
                there = os.path.join(at, name)
                if os.path.relpath(there, self.source) not in listed:
                    os.remove(there)
        for name in sorted(listed):
            here = os.path.join(ROOT, name)
            there = os.path.join(self.source, name)
            if os.path.exists(here) and not self.same(here, there):
                os.makedirs(os.path.dirname(there), exist_ok=True)
                shutil.copyfile(here, there)
                shutil.copymode(here, there)
        self.run('cmake', '-S', self.source, '-B', self.build, '-G', 'Ninja',
                 '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_COMPILER=clang++-22')

    @staticmethod
    def same(here, there):
        if not os.path.exists(there):
            return False
        with open(here, 'rb') as a, open(there, 'rb') as b:
            return a.read() == b.read()

    @staticmethod
    def run(*command):
        """What a command printed; one that does not end has failed."""
        try:
            return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(command, 'it does not end',
                                               late.stdout or '')

    def compile(self, *targets):
        return self.run('ninja', '-C', self.build, *targets)

    def lit(self):
        with open(os.path.join(self.build, 'CMakeCache.txt')) as cache:
            return re.search('KPIPE_LIT:.*=(.*)', cache.read()).group(1)

    def noticed_by(self, suite):
        """What failed first in a suite or in one test, or None."""
        if suite == 'unit' or is_unit_test(suite):
            ran = self.run(os.path.join(self.build, 'bin/kpipe-unit'),
                           '--gtest_brief=1',
                           *([] if suite == 'unit' else
                             ['--gtest_filter=' + suite]))
            failed = re.search(r'\[  FAILED  \] (\S+?),? ', ran.stdout)
        else:
            ran = self.run(sys.executable, self.lit(), '--quiet',
                           '--max-failures=1',
                           os.path.join(self.build, 'test', suite))
            failed = re.search(r'Failed Tests.*\n  (?:kpipe :: )?(\S+)',
                               ran.stdout)
        if ran.returncode == 0:
            return None
        return failed.group(1) if failed else f'{suite} (status {ran.returncode})'

    def fails_unbroken(self, test):
        """Whether a test that noticed something fails without it as well."""
        # Not the compiler, which built the whole, and not a crash of a suite.
        return (is_test(test) or is_unit_test(test)) and \
            self.noticed_by(test) is not None

    def verdict(self, mutant, first):
        """Who noticed a mutant, or None; `first` are asked before the suites."""
        path = os.path.join(self.source, mutant.file)
        with open(path) as file:
            whole = file.read()
        try:
            with open(path, 'w') as file:
                file.write(whole.replace(mutant.old, mutant.new))
            for suite in first + suites_of(mutant.file):
                # Suites of lit share the program; what they need is the rest.
                unit = suite == 'unit' or is_unit_test(suite)
                built = self.compile(*(['kpipe-unit'] if unit else
                                       ['kpipe', 'kpipe-unruled']))
                if built.returncode:
                    return self.compiler_said(built.stdout)
                if who := self.noticed_by(suite):
                    return who
            return None
        finally:
            with open(path, 'w') as file:
                file.write(whole)

    @staticmethod
    def compiler_said(output):
        error = re.search(r'error: (.*)', output)
        return f'the compiler ({error.group(1) if error else "failed"})'


def tables(lines):
    """The tables of mutants.md, one for each first part of the names."""
    groups = {}
    for name, who in lines:
        first, _, rest = name.partition(': ' if ': ' in name else ' ')
        groups.setdefault(first, []).append(f'| {rest} | {who} |\n')
    return '\n'.join(f'### {first}\n\n| mutant | noticed first by |\n|---|---|\n'
                     + ''.join(rows) for first, rows in groups.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--work')
    parser.add_argument('--only', default='')
    parser.add_argument('--report')
    args = parser.parse_args()
    wrong = list(misfits())
    print('\n'.join(wrong) or f'{len(mutants.ALL)} mutants fit the source')
    if wrong or args.check:
        return 1 if wrong else 0
    if not args.work:
        parser.error('--work=FOLDER is needed')

    copy = Copy(args.work)
    whole = copy.compile()
    if whole.returncode:
        sys.exit('the unbroken source does not build:\n' + whole.stdout[-2000:])
    chosen = [m for m in mutants.ALL if re.search(args.only, m.name)]
    last = noticed_last_time()
    lines, alive, noticing = [], [], set()
    for number, mutant in enumerate(chosen, 1):
        start = time.time()
        who = copy.verdict(mutant, last.get(mutant.name, []))
        if not who:
            alive.append(mutant.name)
        else:
            noticing.add(who)
        print(f'[{number}/{len(chosen)}] {mutant.name}: '
              f'{who or "NOT NOTICED"} ({time.time() - start:.0f} s)', flush=True)
        lines.append((mutant.name, who or '**not noticed**'))
    print(f'{len(chosen) - len(alive)} of {len(chosen)} mutants noticed')
    if copy.compile().returncode:
        sys.exit('the mended source does not build')
    for test in sorted(filter(copy.fails_unbroken, noticing)):
        alive.append(test)
        print(f'{test} fails without a mutant as well: what it noticed is void')
    if args.report:
        with open(args.report, 'w') as file:
            file.write(tables(lines))
    return 1 if alive else 0


if __name__ == '__main__':
    sys.exit(main())
