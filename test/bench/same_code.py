#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# same_code.py --old=KPIPE --new=KPIPE [--arch=sm_90] [--option=O] FILE.cu...:
# rewrites each file with two kpipes, compiles both results with nvcc, and
# compares the machine code of each kernel: instructions and registers. Prints a
# row for each kernel that differs, and how many there are. Needs nvcc and
# cuobjdump, and no GPU.
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

TEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDES = [os.path.join(TEST, 'GPU'), os.path.join(TEST, 'Kernels'),
            os.path.join(TEST, 'bench'),
            os.path.join(os.path.dirname(TEST), 'runtime', 'include')]


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else None


def kernels(cubin):
    """Instructions and registers of each kernel."""
    found = {}
    for line in output('cuobjdump', '-sass', cubin).split('\n'):
        if match := re.search(r'Function : (\S+)', line):
            name = match[1]
            found[name] = [0, 0]
        elif match := re.match(r'\s+/\*[0-9a-f]{4,}\*/\s+(@\S+ )?(\S+)', line):
            # What pads the end is no code.
            found[name][0] += match[2].rstrip(';') not in ('NOP', 'BRA')
    name = None
    for line in output('cuobjdump', '-res-usage', cubin).split('\n'):
        if match := re.search(r'Function (\S+):', line):
            name = match[1]
        elif (match := re.search(r'REG:(\d+)', line)) and name in found:
            found[name][1] = int(match[1])
    return found


def compare(args, file, arch):
    """(kernel, old, new) of each kernel of a file; None if one is missing."""
    codes = []
    with tempfile.TemporaryDirectory() as folder:
        for which in (args.old, args.new):
            text = os.path.join(folder, 'a.cu')
            cubin = os.path.join(folder, 'a.cubin')
            if output(which, 'rewrite', file, '--arch=' + arch, '-o', text,
                      *args.option) is None:
                return None
            flags = ['-I' + i for i in INCLUDES + [os.path.dirname(file)]]
            if output('nvcc', '-std=c++17', '-O3', '-arch=' + arch, '-cubin',
                      '-DKPIPE_HARNESS', *flags, text, '-o', cubin) is None:
                return None
            codes.append(kernels(cubin))
    return [(name, codes[0][name], codes[1][name])
            for name in sorted(codes[0]) if name in codes[1]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('files', nargs='+')
    parser.add_argument('--old', required=True)
    parser.add_argument('--new', required=True)
    parser.add_argument('--arch', action='append', default=[])
    parser.add_argument('--option', action='append', default=[])
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    work = [(os.path.abspath(f), a) for a in args.arch or ['sm_90']
            for f in args.files]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda job: compare(args, *job), work))
    print('| file | kernel | arch | instructions | registers |')
    print('|---|---|---|---|---|')
    totals = {}
    for (file, arch), found in zip(work, results):
        total = totals.setdefault(arch, [0, 0, 0, 0, 0, 0])
        if found is None:
            print(f'| {os.path.basename(file)} | not compiled | {arch} | | |')
            continue
        for name, old, new in found:
            total[0] += 1
            total[1] += old == new
            total[2] += old[0]
            total[3] += new[0]
            total[4] += new[1] < old[1]
            total[5] += new[1] > old[1]
            if old != new:
                print(f'| {os.path.basename(file)} | {name} | {arch} | '
                      f'{old[0]} → {new[0]} | {old[1]} → {new[1]} |')
    print()
    for arch, t in totals.items():
        print(f'{arch}: {t[0]} kernels, {t[1]} with equal counts; instructions '
              f'{t[2]} → {t[3]} ({100.0 * t[3] / max(t[2], 1) - 100:+.2f} %); '
              f'registers fewer for {t[4]}, more for {t[5]}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
