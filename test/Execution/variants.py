#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# variants.py --kpipe=KPIPE --execute=EXECUTE KERNEL.cu: rewrites a kernel file in
# every way that the tool offers and executes all results against the original.
# Prints a line for each way and ends like execute.py; exit 0 only if the tool
# never failed and nothing differs. Knows nothing of the kernels.

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

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


def more_ways(stages, schedules):
    """Beyond the defaults: stage counts and schedules, as far as they go."""
    for variant, count, schedule in itertools.product(
            ('ldg', 'cp-async'), stages, schedules):
        yield ['--variant=' + variant, '--stages=' + count,
               '--schedule=' + schedule]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('kernel')
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--execute', required=True)
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--at-least', type=int, default=0,
                        help='loops that the default must pipeline')
    parser.add_argument('--stages', default='', help='such as 3,4')
    parser.add_argument('--schedules', default='auto')
    parser.add_argument('--option', action='append', default=[],
                        help='one more option of kpipe')
    parser.add_argument('--keep', metavar='DIR')
    args = parser.parse_args()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        return sweep(args, args.keep)
    with tempfile.TemporaryDirectory(prefix='kpipe-variants-') as work:
        return sweep(args, work)


def sweep(args, work):
    name = os.path.splitext(os.path.basename(args.kernel))[0]
    with open(args.kernel) as f:
        seen, outputs = {f.read()}, []
    good, largest = True, 2
    stages = [s for s in args.stages.split(',') if s]
    for way in WAYS + list(more_ways(stages, args.schedules.split(','))):
        out = os.path.join(work, '%s%s.cu' % (name, ''.join(
            '.' + re.sub(r'.*=|--', '', option) for option in way)))
        done = subprocess.run(
            [args.kpipe, 'rewrite', args.kernel, '--arch=' + args.arch, '-o',
             out] + way + args.option, stderr=subprocess.PIPE, text=True)
        pipelined = done.stderr.count('[kpipe-pipelined]')
        print('%s: %d pipelined' % (' '.join(way), pipelined))
        if done.returncode != 0:
            sys.stdout.write(done.stderr)
            print('FAIL: kpipe ended with status %d' % done.returncode)
            good = False
            continue
        if way == WAYS[0] and pipelined < args.at_least:
            sys.stdout.write(done.stderr)
            print('FAIL: %d loops should be pipelined' % args.at_least)
            good = False
        with open(out) as f:
            text = f.read()
        if text not in seen:
            seen.add(text)
            outputs.append(out)
            print('  rewritten%s: %s' % (' %d' % len(outputs)
                                         if len(outputs) > 1 else '', out))
        for option in way:
            if re.match(r'--stages=\d', option):
                largest = max(largest, int(option[9:]))
    # Many programs compile at once: no more than the machine has cores.
    batch = max(1, (os.cpu_count() or 2))
    sys.stdout.flush()
    for i in range(0, len(outputs), batch):
        done = subprocess.run([args.execute, '--stages=%d' % largest,
                               args.kernel] + outputs[i:i + batch])
        good = good and done.returncode == 0
    if not outputs:
        print('nothing to execute: every output is the input')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
