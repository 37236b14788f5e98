#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# build.py --kpipe=KPIPE --out=DIR KERNEL.cu...: compiles each kernel file and
# what kpipe makes of it, in every way it offers, with nvcc into programs
# DIR/<kernel>/<way>, and copies run.sh beside them. Needs no GPU: DIR is carried
# to a machine that has one, where `sh run.sh` runs and compares them.

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TEST = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TEST, 'Execution'))
import variants  # noqa: E402

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')


def compile_one(args, source, out, include):
    command = [args.nvcc, '-std=c++17', '-O3', '-arch=' + args.arch,
               '--expt-relaxed-constexpr', '-DKPIPE_HARNESS', '-lineinfo',
               '-I' + HERE,
               '-I' + os.path.join(TEST, 'Kernels'),
               '-I' + os.path.join(os.path.dirname(TEST), 'runtime', 'include'),
               '-I' + include, source, '-o', out]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        subprocess.run(['strip', out])
    return done.returncode == 0, source, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('kernels', nargs='+')
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--nvcc', default='nvcc')
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--option', action='append', default=[],
                        help='one more option of kpipe')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    jobs, good = [], True
    for kernel in args.kernels:
        name = os.path.splitext(os.path.basename(kernel))[0]
        folder = os.path.join(args.out, name)
        os.makedirs(folder, exist_ok=True)
        include = os.path.dirname(os.path.abspath(kernel))
        jobs.append((kernel, os.path.join(folder, 'original'), include))
        with open(kernel) as f:
            seen = {f.read()}
        for way in variants.WAYS:
            way_name = '.'.join(re.sub(r'.*=|--', '', o) for o in way)
            out = os.path.join(folder, way_name + '.cu')
            done = subprocess.run(
                [args.kpipe, 'rewrite', kernel, '--arch=' + args.arch, '-o',
                 out] + way + args.option, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                print('FAIL: %s %s: %s' % (name, way_name, done.stderr))
                good = False
                continue
            with open(out) as f:
                text = f.read()
            if text not in seen:
                seen.add(text)
                jobs.append((out, out[:-3], include))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for ok, source, errors in pool.map(
                lambda job: compile_one(args, *job), jobs):
            if not ok:
                print('FAIL: %s does not compile\n%s' % (source, errors))
                good = False
    shutil.copy(os.path.join(HERE, 'run.sh'), args.out)
    print('%d programs of %d kernel files in %s' % (len(jobs),
                                                    len(args.kernels), args.out))
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
