#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# producers.py [--kpipe=KPIPE] [--size=N] [--launches=N] [--rounds=N] [--out=FOLDER]
#   [--flag=FLAG]... [--rewrite-only | --compile-only | --made]
# The first Hopper GEMM with tiles of 128x256x64, 128x128x64 and 192x256x64 as it is
# written, as a ring, with a producer warp and with a producer warpgroup: rewritten,
# built (with what ptxas says of registers and spills), run in turns with cuBLAS
# before each, and a table of the best TFLOP/s of all rounds. Each form has to have
# the hash of the others of its shape, in every launch. Where the GPU's machine has no
# kpipe: --rewrite-only on another one, and --made with the same folder there.
import argparse
import os
import re
import subprocess
import sys

import shapes

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '../../..'))
# The threads of the third need more registers than their share beside a producer.
SHAPES = ['128x256', '128x128', '192x256/128']
# Two blocks of the second shape share an SM as it is written; its warpgroup has
# registers for one.
FORMS = {
    'as written': None,
    'ring': [],
    'warp': ['--schedule=specialized'],
    'warpgroup': ['--producer=warpgroup', '--allow-occupancy-drop'],
    'ring, 4 stages': ['--stages=4', '--allow-occupancy-drop'],
    'warp, 4 stages': ['--schedule=specialized', '--stages=4', '--allow-occupancy-drop'],
}


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def make(args, shape, form):
    """The program of a form, and what ptxas says of its kernel."""
    name = re.sub(r'\W+', '_', f'gemm_{shape}_{form}')
    source = os.path.join(args.out, re.sub(r'\W+', '_', f'gemm_{shape}') + '.cu')
    made = source
    if FORMS[form] is not None:
        made = os.path.join(args.out, f'{name}.cu')
        if not args.made:
            output_of([args.kpipe, 'rewrite', source, '--arch=sm_90a', '--require',
                       *FORMS[form], '-o', made])
    if args.rewrite_only:
        return made
    program = os.path.join(args.out, name)
    command = ['nvcc', '-std=c++17', '-O3', '-gencode', 'arch=compute_90a,code=sm_90a', '-Xptxas',
               '-v', '-I' + os.path.join(ROOT, 'runtime/include'), *args.flag]
    if args.compile_only:
        said = output_of([*command, '-cubin', made, '-o', program + '.cubin'])
    else:
        said = output_of([*command, f'-DFORM="{made}"', os.path.join(HERE, 'time.cu'),
                          '-lcublas', '-o', program])
    kernel = said[re.search(r"Compiling entry function '_Z4gemm", said).start():]
    spills = re.search(r'(\d+) bytes spill stores', kernel)[1]
    registers = re.search(r'Used (\d+) registers', kernel)[1]
    ignored = ', setmaxnreg ignored' if "'setmaxnreg' ignored" in said else ''
    print(f'{shape}x64 {form}: {registers} registers, {spills} bytes spilled{ignored}', flush=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', default='kpipe')
    parser.add_argument('--size', default='4096')
    parser.add_argument('--launches', default='600')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--out', default='producers')
    parser.add_argument('--flag', action='append', default=[], help='of nvcc')
    only = parser.add_mutually_exclusive_group()
    only.add_argument('--rewrite-only', action='store_true')
    only.add_argument('--compile-only', action='store_true')
    only.add_argument('--made', action='store_true')
    args = parser.parse_args()
    args.out = os.path.abspath(args.out)
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(HERE, 'gemm.cu')) as file:
        text = file.read()
    for shape in SHAPES:
        kernel, name = shapes.named(text, shape)
        with open(os.path.join(args.out, f'{name}.cu'), 'w') as file:
            file.write(text if shape == '128x256' else kernel)
    programs = {(s, f): make(args, s, f) for s in SHAPES for f in FORMS}
    if args.compile_only or args.rewrite_only:
        return
    best, hashes, library = {}, {}, 0.0
    for turn in range(args.rounds):
        for (shape, form), program in programs.items():
            # Bits are compared once.
            said = output_of([program, args.size, args.launches if turn == 0 else '1'])
            print(said.rstrip(), flush=True)
            own, other, found = re.search(
                r': ([\d.]+) TFLOP/s, cuBLAS ([\d.]+); hash (\w+)', said).groups()
            best[shape, form] = max(best.get((shape, form), 0.0), float(own))
            library = max(library, float(other))
            hashes.setdefault(shape, set()).add(found)
    print(f'\n| {args.size} cubed | ' + ' | '.join(FORMS) + ' |')
    print('| --- |' + ' --- |' * len(FORMS))
    for shape in SHAPES:
        print(f'| {shape}x64 | ' + ' | '.join(f'{best[shape, f]:.0f}' for f in FORMS) + ' |')
    print(f'cuBLAS {library:.0f}')
    for shape, found in hashes.items():
        if len(found) != 1:
            sys.exit(f'{shape}: results differ: {sorted(found)}')


if __name__ == '__main__':
    main()
