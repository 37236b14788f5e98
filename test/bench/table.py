#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# table.py RESULT.json: what run.py measured, as tables in Markdown. The page
# beside the data, measured/h200.md, is what this prints.
# table.py --summary RESULT.json: the table of docs/measurements.md.
# table.py --by-hand RESULT.json: the table there of the programs that are also
# pipelined by hand.
# table.py --forms=FORMS.json... RESULT.json: the table there of what is planned
# today, where the FORMS.json have the other forms, from other runs.
# table.py --in=PAGE RESULT.json, also with --by-hand or --forms: exit 1 unless
# PAGE has that table.
# table.py --some-in=PAGE RESULT.json, also with --forms: exit 1 unless PAGE has
# rows that begin with the name of a program, and each is a row of the summary.
#
# Measured programs that programs/list.json does not have (any more) are in no
# summary, and in a section of their own of the page.
import argparse
import json
import os
import sys


LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs',
                    'list.json')


def listed():
    """The programs that can be measured today: are they held out?"""
    with open(LIST) as file:
        return {program['name']: program.get('held_out', False)
                for program in json.load(file)}


class Program:
    """One program of the result: its forms by name, and speed-ups."""

    def __init__(self, program):
        self.name = program['name']
        self.limit = program.get('efficiency')
        forms = [f for f in program['forms'] if 'median' in f]
        self.forms = {f['name']: f for f in forms if f['kind'] == 'form'}
        self.original = self.forms.pop('original')['median']
        self.auto = next((f for f in self.forms.values() if f['planned']), None)
        self.best = min(self.forms.values(), key=lambda f: f['median'])
        self.held_out = False
        self.best_speed = self.original / self.best['median']
        self.by_hand = next((f for f in forms if f['kind'] == 'by hand'), None)

    def speedup(self, form, digits=3):
        return f"{self.original / form['median']:.{digits}f}" if form else '–'

    def auto_speed(self):
        return self.original / self.auto['median']

    def compare(self, other):
        """The best of what another run measured, if it is better than auto. Forms
        that have to be asked for, since blocks are lost, do not count."""
        found = [f['median'] for name, f in other.forms.items()
                 if '-occupancy' not in name]
        self.best_speed = max(self.auto_speed(), other.original / min(found), 1)

    def fastest(self, fits):
        """The speed-up of the fastest form whose words `fits` accepts."""
        found = [f for f in self.forms.values() if fits(f['name'].split())]
        return self.speedup(min(found, key=lambda f: f['median'])
                            if found else None)


EXTRAS = {'padded', 'unrolled', 'rolled', 'compute', 'remap'}


def plain(*routes, stages, guarded):
    """Forms of these routes and stages with the author's rows and pragmas."""
    return lambda words: words[0] in routes and words[1] in stages and \
        not EXTRAS & set(words) and \
        guarded in (None, 'guarded' in words)


ASYNC = ('cp.async', 'mixed')
AS_WRITTEN = {
    'reg 1': plain('registers', stages='1', guarded=False),
    'reg 2': plain('registers', stages='2', guarded=False),
    'reg 2 g': plain('registers', stages='2', guarded=True),
    'async 2': plain(*ASYNC, stages='2', guarded=False),
    'async 2 g': plain(*ASYNC, stages='2', guarded=True),
    'deeper': plain('registers', *ASYNC, stages='34', guarded=None),
}
CHANGED = {
    'padded': lambda words: EXTRAS & set(words) == {'padded'},
    'stages': lambda words: 'unrolled' in words and 'compute' not in words,
    'compute': lambda words: 'compute' in words,
    'never': lambda words: 'rolled' in words,
}


def table(head, rows):
    rows = [head, ['---'] * len(head), *rows]
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in rows)


def summary(programs):
    return table(
        ['program', 'original', '`auto`', 'best'],
        [[p.name, f'{p.original:.3f} ms', p.speedup(p.auto, 2),
          f'{p.best_speed:.2f}'] for p in programs])


def today(programs):
    """What is planned, beside the best that nobody has to ask for."""
    return table(
        ['program', 'original', '`auto`', 'speed-up', 'best', '`auto` / by hand'],
        [[p.name + ' \\*' * p.held_out, f'{p.original:.3f} ms',
          p.auto['name'].replace('compute ', ''), f'{p.auto_speed():.3f}',
          f'{p.best_speed:.3f}',
          f"{p.auto['median'] / p.by_hand['median']:.3f}" if p.by_hand else '–']
         for p in programs])


def pairs(programs):
    """What kpipe plans and what an expert wrote. The last column is the time of
    the planned form over that of the version by hand."""
    return table(
        ['program', 'original', '`auto`', 'best', 'by hand', '`auto` / by hand'],
        [[p.name, *(f"{t:.4f} ms" for t in (
            p.original, p.auto['median'], p.best['median'],
            p.by_hand['median'])),
          f"{p.auto['median'] / p.by_hand['median']:.3f}"]
         for p in programs if p.by_hand])


def page(result, programs, gone, path):
    def columns(fits):
        return table(['program', *fits],
                     [[p.name, *map(p.fastest, fits.values())]
                      for p in programs])

    count = sum(1 + len(p.forms) for p in programs)
    planned = table(
        ['program', 'original', 'form of `auto`', 'speed-up'],
        [[p.name, f'{p.original:.3f} ms', p.auto['name'] if p.auto else '–',
          p.speedup(p.auto)] for p in programs])
    best = table(
        ['program', 'best form', 'speed-up', 'limit'],
        [[p.name, p.best['name'], p.speedup(p.best),
          f'{p.limit:.2f}' if p.limit else '–'] for p in programs])
    left = f'''

## No longer built from this repository

Public kernels, measured in the same run. They are part of what `fit.py` fits the numbers to.

{table(['program', 'original', 'form of `auto`', 'speed-up', 'best'],
       [[p.name, f'{p.original:.3f} ms', p.auto['name'], p.speedup(p.auto),
         p.speedup(p.best)] for p in gone])}''' if gone else ''
    name = os.path.basename(path)
    return f'''<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
<!-- Made by table.py of {name}; do not edit. -->
# {result['gpu']}, {result['date']}

{result['nvcc']}, {result['arch']}, driver {result['driver']}: {len(programs)} programs in
{count} forms, originals included. [How it was measured](../../../docs/measurements.md).

Speed-ups are over the original: above 1 is faster.

## What `auto` plans

{planned}

## The best form

Limit: the larger of the loads alone and the compute alone, over the time of the best form. At 1
there is nothing left to hide.

{best}

## By route and stages, with the author's rows and pragmas

`reg`: registers; `async`: cp.async, or mixed; the number is that of the stages; `g`: guarded;
`deeper`: the best with 3 or 4 stages.

{columns(AS_WRITTEN)}

## By what else is changed

`padded`: the best form with padded rows and the author's pragmas; the others: the best form with
that value of `--unroll`.

{columns(CHANGED)}{left}'''


def faults(programs, path):
    """Rows of a page that are not those of the summary."""
    with open(path, encoding='utf-8') as file:
        text = file.read().split('\n')
    rows = {row.split(' | ')[0]: row for row in summary(programs).split('\n')[2:]}
    found = [line for line in text if line.split(' | ')[0] in rows]
    for line in found:
        if line != rows[line.split(' | ')[0]]:
            yield f'{path} has {line}\nnot {rows[line.split(" | ")[0]]}'
    if not found:
        yield f'{path} has no row of the summary'


def lacking(wanted, path):
    """The table, unless the page has it."""
    with open(path, encoding='utf-8') as file:
        if f'\n{wanted}\n' not in file.read():
            yield f'{path} lacks\n{wanted}'


def measurements(path):
    """The result, and its programs."""
    with open(path) as file:
        result = json.load(file)
    return result, [Program(p) for p in result['programs']
                    if any(f['name'] == 'original' and 'median' in f
                           for f in p['forms'])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--summary', action='store_true')
    parser.add_argument('--by-hand', action='store_true')
    parser.add_argument('--forms', action='append')
    parser.add_argument('--in', dest='whole')
    parser.add_argument('--some-in', dest='some')
    parser.add_argument('result')
    args = parser.parse_args()
    result, measured = measurements(args.result)
    names = listed()
    programs = [p for p in measured if p.name in names]
    if args.forms:
        others = {p.name: p for path in args.forms
                  for p in measurements(path)[1]}
        for program in programs:
            program.held_out = names[program.name]
            program.compare(others[program.name])
    wanted = pairs(programs) if args.by_hand else \
        today(programs) if args.forms else summary(programs)
    if args.whole or args.some:
        wrong = list(lacking(wanted, args.whole) if args.whole
                     else faults(programs, args.some))
        print('\n'.join(wrong) or 'the page has what was measured')
        return 1 if wrong else 0
    print(wanted if args.summary or args.by_hand or args.forms
          else page(result, programs,
                    [p for p in measured if p.name not in names], args.result))
    return 0


if __name__ == '__main__':
    sys.exit(main())
