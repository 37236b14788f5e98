#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# variants.py --kpipe=KPIPE --execute=EXECUTE KERNEL.cu: rewrites a kernel file in
# every way that the tool offers and executes all results against the original.
# Prints a line for each way and ends like execute.py; exit 0 only if the tool
# never failed and nothing differs. Knows nothing of the kernels.

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import forms

WAYS = [['--variant=auto'], ['--variant=ldg'], ['--variant=cp-async'],
        ['--variant=ldg', '--stages=1'],
        ['--variant=cp-async', '--inline-runtime'],
        ['--variant=ldg', '--schedule=guarded', '--unroll=compute'],
        ['--variant=cp-async', '--schedule=guarded'],
        ['--variant=ldg', '--stages=1', '--schedule=guarded',
         '--unroll=never'],
        ['--variant=cp-async', '--stages=3'],
        ['--variant=ldg', '--stages=4'],
        ['--variant=cp-async', '--stages=4', '--schedule=guarded',
         '--unroll=compute'],
        ['--variant=auto', '--stages=5', '--unroll=stages']]

# One of each kind, for folders with many programs.
FEW = [['--variant=auto'], ['--variant=cp-async', '--stages=3'],
       ['--variant=ldg', '--stages=1']]


def more_ways(stages, schedules):
    """Beyond the defaults: stage counts and schedules, as far as they go."""
    for variant, count, schedule in itertools.product(
            ('ldg', 'cp-async'), stages, schedules):
        yield ['--variant=' + variant, '--stages=' + count,
               '--schedule=' + schedule]


def main():
    args = parse()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        return sweep(args, args.keep)
    with tempfile.TemporaryDirectory(prefix='kpipe-variants-') as work:
        return sweep(args, work)


def parse(words=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('kernel')
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--execute', required=True)
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--at-least', type=int, default=0,
                        help='loops that the default must pipeline')
    parser.add_argument('--legal', metavar='REGEX',
                        help='functions of which the default must pipeline '
                        'every loop that it reports')
    parser.add_argument('--ways', choices=['all', 'few'], default='all')
    parser.add_argument('--stages', default='', help='such as 3,4')
    parser.add_argument('--schedules', default='auto')
    parser.add_argument('--option', action='append', default=[],
                        help='one more option of kpipe')
    parser.add_argument('--flag', action='append', default=[],
                        help='a flag for both compilers, such as -DX')
    parser.add_argument('--execute-flag', action='append', default=[],
                        help="a flag for the executor's compiler only")
    parser.add_argument('--keep', metavar='DIR')
    return parser.parse_args(words)


def loops_of(form):
    """The loops of a form's report."""
    if form.returncode != 0:
        return []
    with open(form.path + '.json') as f:
        return json.load(f)['loops']


def rewrite(args, way, out, more=()):
    """Runs kpipe; returns how it ended and the loops of its report."""
    done = forms.rewrite(args.kpipe, args.kernel,
                         ['--arch=' + args.arch, *way, *args.option, *more],
                         out, args.flag)
    return done, loops_of(done)


def execute(args, outputs, stages, arch='sm_86', **options):
    """Runs the executor; what is beside the kernel is found from anywhere."""
    flags = ['-I' + os.path.dirname(os.path.abspath(args.kernel))]
    # Code for sm_90 and newer is behind a condition in headers.
    arch = [] if arch == 'sm_86' else ['--arch=' + arch]
    return subprocess.run(
        [args.execute, '--stages=%d' % stages, *arch, args.kernel] + outputs +
        ['--flag=' + f for f in flags + args.flag + args.execute_flag] +
        options.pop('more', []), **options)


def most_stages(ways):
    """The largest count asked for: trip counts around it are the hard ones."""
    return max([2] + [int(option[9:]) for way in ways for option in way
                      if re.match(r'--stages=\d', option)])


def sweep(args, work):
    name = os.path.splitext(os.path.basename(args.kernel))[0]
    with open(args.kernel) as f:
        seen, outputs = {f.read()}, []
    good = True
    stages = [s for s in args.stages.split(',') if s]
    ways = (FEW if args.ways == 'few' else WAYS) + list(
        more_ways(stages, args.schedules.split(',')))
    outs = [os.path.join(work, '%s%s.cu' % (name, ''.join(
        '.' + re.sub(r'.*=|--', '', option) for option in way)))
            for way in ways]
    for way, done in zip(ways, forms.rewrite_all(
            args.kpipe, args.kernel, ways, outs,
            ['--arch=' + args.arch, *args.option], args.flag)):
        out, loops = done.path, loops_of(done)
        pipelined = done.stderr.count('[kpipe-pipelined]')
        print('%s: %d pipelined' % (' '.join(way), pipelined))
        if done.returncode != 0:
            sys.stdout.write(done.stderr)
            print('FAIL: kpipe ended with status %d' % done.returncode)
            good = False
            continue
        if way == ways[0]:
            refused = [loop for loop in loops
                       if args.legal and re.search(args.legal, loop['function'])
                       and loop['archs'][0]['verdict'] != 'pipelined']
            for loop in refused:
                print('FAIL: line %d: the loop in %s should be pipelined' %
                      (loop['line'], loop['function']))
            if pipelined < args.at_least:
                print('FAIL: %d loops should be pipelined' % args.at_least)
            if refused or pipelined < args.at_least:
                sys.stdout.write(done.stderr)
                good = False
        with open(out) as f:
            text = f.read()
        if text not in seen:
            seen.add(text)
            outputs.append(out)
            print('  rewritten%s: %s' % (' %d' % len(outputs)
                                         if len(outputs) > 1 else '', out))
    sys.stdout.flush()
    if outputs:
        # Together, so that the original is run once; for each architecture.
        for number in re.findall(r'\d+a?', args.arch):
            done = execute(args, outputs, most_stages(ways), 'sm_' + number)
            good = good and done.returncode == 0
    else:
        print('nothing to execute: every output is the input')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
