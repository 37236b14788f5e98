#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# score.py --work=FOLDER [-j N] [--only=RE] [--report=FILE]: breaks kpipe in one
# place after the other, rebuilds it and runs the tests until one notices. The
# test that noticed a mutant last time (mutants.md) is asked first, then the
# suites of its file; mutants that nobody noticed yet come first. The checkout
# and its build stay as they are: FOLDER, outside of it, gets what differs.
# Prints a line a mutant and the score; exit 1 if a mutant was not noticed.
#
#   --build=B    the build folder, build/release unless told
#   --limit=S    seconds for the tests of a mutant; then it is out of time
#   --log=FILE   gets each verdict at once; what is in it is not judged again
#   --minutes=M  ends then; with --log the next run goes on
#
# score.py --check: only sees to it that each mutant still fits the source.
import argparse
import concurrent.futures
import os
import re
import sys
import time

import mutants
from checkout import HERE, ROOT, TIMEOUT, Checkout, View, is_test, is_unit_test

NOT_NOTICED = 'NOT NOTICED'
OUT_OF_TIME = 'OUT OF TIME'
NOT_BUILT = 'DID NOT BUILD'
VOID = 'VOID'  # what noticed it fails without a mutant as well

TEST_LIMIT = 120  # seconds for one test; one that takes longer may never end


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


class Judge:
    """Asks the tests about one mutant after the other, until a deadline."""

    def __init__(self, checkout, limit, deadline):
        self.checkout = checkout
        self.limit = limit
        self.deadline = deadline
        self.last = noticed_last_time()

    def verdict(self, mutant):
        """(Who noticed a mutant or why nobody did, seconds), None if cut off."""
        start = time.time()
        if start > self.deadline:
            return None
        until = min(start + self.limit, self.deadline)
        name = re.sub(r'\W', '-', mutant.name)
        with View(self.checkout, name, mutant) as view:
            try:
                who = self.noticed_by(view, mutant, until)
            except TimeoutError:
                who = OUT_OF_TIME
        if who == OUT_OF_TIME and time.time() > self.deadline:
            return None
        return who, time.time() - start

    def noticed_by(self, view, mutant, until):
        asked = self.last.get(mutant.name, []) + suites_of(mutant.file)
        void = None
        for suite in dict.fromkeys(asked):
            # Suites of lit share the programs; what they need is the rest.
            unit = suite == 'unit' or is_unit_test(suite)
            built = view.compile(['kpipe-unit'] if unit else
                                 ['kpipe', 'kpipe-unruled'], TIMEOUT)
            if built.returncode:
                error = re.search(r'error: (.*)', built.stdout)
                return f'{NOT_BUILT} ({error.group(1) if error else "?"})'
            who = self.asked(view, suite, until - time.time())
            if who and self.counts(who):
                return who
            void = void or who
        return f'{VOID} ({void})' if void else NOT_NOTICED

    def counts(self, who):
        """Not what fails unbroken; a suite that crashed is no one test."""
        test = who.split(' ')[0]
        return (not is_test(test) and not is_unit_test(test)
                or self.checkout.unbroken(test)[0])

    def asked(self, view, suite, seconds):
        """Who notices in a suite; a test that never ends notices as well."""
        if not is_test(suite) and not is_unit_test(suite):
            return view.ask(suite, seconds)
        try:
            return view.ask(suite, min(seconds, TEST_LIMIT))
        except TimeoutError:
            passes, usual = self.checkout.unbroken(suite)
            if seconds > TEST_LIMIT and passes and usual < TEST_LIMIT / 4:
                return f'{suite} (does not end)'
            raise


def tables(lines):
    """The tables of mutants.md, one for each first part of the names."""
    groups = {}
    for name, who in lines:
        first, _, rest = name.partition(': ' if ': ' in name else ' ')
        groups.setdefault(first, []).append(f'| {rest} | {who} |\n')
    return '\n'.join(f'### {first}\n\n| mutant | noticed first by |\n|---|---|\n'
                     + ''.join(rows) for first, rows in groups.items())


def read_log(path):
    """{name: verdict} of an earlier run, but those that say nothing."""
    if not path or not os.path.exists(path):
        return {}
    with open(path) as file:
        rows = [line.rstrip('\n').split('\t')[:2] for line in file]
    return {name: who for name, who in rows if not who.startswith(VOID)}


def judge_all(judge, chosen, jobs, log):
    """{name: verdict}, with a line for each as soon as it is known."""
    known = read_log(log)
    left = [m for m in chosen if m.name not in known]
    left.sort(key=lambda m: m.name in judge.last)
    said = {m.name: known[m.name] for m in chosen if m.name in known}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(judge.verdict, m): m for m in left}
        for done in concurrent.futures.as_completed(pending):
            name = pending[done].name
            if done.exception():
                pool.shutdown(cancel_futures=True)
            if not done.result():
                continue
            said[name], seconds = done.result()
            print(f'[{len(said)}/{len(chosen)}] {name}: {said[name]} '
                  f'({seconds:.0f} s)', flush=True)
            if log:
                with open(log, 'a') as file:
                    file.write(f'{name}\t{said[name]}\t{seconds:.0f}\n')
    return said


def summary(said, chosen):
    """Prints the score; returns the names that nobody noticed."""
    bad = {kind: [n for n, who in said.items() if who.startswith(kind)]
           for kind in (NOT_NOTICED, NOT_BUILT, OUT_OF_TIME, VOID)}
    missing = len(chosen) - len(said)
    for kind, names in bad.items():
        for name in names:
            print(f'{kind.lower()}: {name}')
    unnoticed = sum(map(len, bad.values()))
    print(f'{len(said) - unnoticed} of {len(chosen)} mutants noticed'
          + (f', {missing} not judged' if missing else ''))
    return sum(bad.values(), [])


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--work')
    parser.add_argument('--build', default=os.path.join(ROOT, 'build/release'))
    parser.add_argument('-j', dest='jobs', type=int, default=1)
    parser.add_argument('--only', default='')
    parser.add_argument('--limit', type=float, default=TIMEOUT)
    parser.add_argument('--minutes', type=float, default=float('inf'))
    parser.add_argument('--log')
    parser.add_argument('--report')
    return parser, parser.parse_args()


def main():
    start = time.time()
    parser, args = parse()
    wrong = list(misfits())
    print('\n'.join(wrong) or f'{len(mutants.ALL)} mutants fit the source')
    if wrong or args.check:
        return 1 if wrong else 0
    if not args.work:
        parser.error('--work=FOLDER is needed')

    judge = Judge(Checkout(args.build, args.work), args.limit,
                  start + 60 * args.minutes)
    chosen = [m for m in mutants.ALL if re.search(args.only, m.name)]
    said = judge_all(judge, chosen, args.jobs, args.log)
    alive = summary(said, chosen)
    if args.report:
        with open(args.report, 'w') as file:
            file.write(tables(said.items()))
    return 1 if alive or len(said) < len(chosen) else 0


if __name__ == '__main__':
    sys.exit(main())
