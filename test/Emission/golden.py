#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# golden.py --kpipe=KPIPE INPUT GOLDEN [OPTIONS]: rewrites INPUT for sm_86 with the
# options of kpipe. Exit 1, with the difference, unless GOLDEN has the whole
# output, byte for byte. Each file has its own first comment, which ends at the
# first empty line.
# golden.py --kpipe=KPIPE --update [GOLDEN...]: writes what kpipe makes today
# below the first comment of each golden file (without names: of all of them),
# from the command in its RUN line.
import argparse
import difflib
import os
import re
import subprocess
import sys

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path, newline='') as file:
        return file.read()


def output_of(kpipe, source, options):
    """What kpipe makes of a source, without its first comment."""
    done = subprocess.run([kpipe, 'rewrite', source, '--arch=sm_86',
                           *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    head, empty, _ = read(source).partition('\n\n')
    if done.returncode or not done.stdout.startswith(head + empty):
        sys.exit(done.stderr + f'{source}: kpipe failed or changed the first comment')
    return done.stdout[len(head + empty):]


def update(kpipe, golden):
    head = read(golden).partition('\n\n')[0].rstrip('\n')
    command = re.search(r'RUN: %golden %S/(\S+) %s *(.*)', head)
    text = output_of(kpipe, os.path.join(HERE, command[1]), command[2].split())
    with open(golden, 'w', newline='') as file:
        file.write(head + '\n\n' + text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('files', nargs='*')
    args, options = parser.parse_known_args()
    if args.update:
        for golden in args.files or sorted(
                os.path.join(HERE, name) for name in os.listdir(HERE)
                if name.endswith('.cu')):
            update(args.kpipe, golden)
        return 0
    source, golden = args.files
    wanted = read(golden).partition('\n\n')[2]
    got = output_of(args.kpipe, source, options)
    sys.stdout.writelines(difflib.unified_diff(
        wanted.splitlines(True), got.splitlines(True), golden, 'kpipe today'))
    return 0 if got == wanted else 1


if __name__ == '__main__':
    sys.exit(main())
