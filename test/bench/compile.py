#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compile.py --kpipe PROGRAM [KERNEL.cu...]: rewrites kernels in every variant
# and compiles original and output with nvcc for every architecture, and with
# Clang; compares what ptxas says of spills. Prints a table; exit 1 if an output
# does not compile or spills where its original did not. Default: test/Kernels.

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ARCHS = ['75', '80', '86', '89', '90', '100', '120']
# Below sm_80 there are registers only.
VARIANTS = {'auto': ARCHS[1:], 'cp-async': ARCHS[1:], 'ldg': ARCHS}
INCLUDES = ['-I' + os.path.join(ROOT, 'runtime', 'include')]


def cccl():
    """nvcc adds this folder by itself, Clang does not."""
    program = shutil.which('nvcc')
    root = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    return ['-isystem', os.path.join(root, 'include', 'cccl')]


def nvcc(path, archs, folder):
    """Spilled bytes by (function, arch), or the compiler's words."""
    command = ['nvcc', '-std=c++17', '-fatbin', '-o',
               os.path.join(folder, 'out.fatbin'), '-Xptxas', '-v',
               '-Wno-deprecated-gpu-targets', *INCLUDES, path]
    for arch in archs:
        command.append(f'-gencode=arch=compute_{arch},code=sm_{arch}')
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        return None, made.stderr
    spills, name = {}, None
    for line in made.stderr.splitlines():
        entry = re.search(r"Compiling entry function '([^']+)' for 'sm_(\d+)'",
                          line)
        if entry:
            name = entry.groups()
        stores = re.search(r'(\d+) bytes spill stores, (\d+) bytes spill', line)
        if stores and name:
            spills[name] = int(stores[1]) + int(stores[2])
    return spills, ''


def clang(program, path, archs):
    command = [program, '-x', 'cuda', '--cuda-device-only', '-fsyntax-only',
               '-std=c++17', '-Wno-unknown-cuda-version', *INCLUDES, *cccl(), path]
    for arch in archs:
        made = subprocess.run(command + ['--cuda-gpu-arch=sm_' + arch],
                              capture_output=True, text=True)
        if made.returncode:
            return made.stderr
    return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--clang', default='clang++-22')
    parser.add_argument('kernels', nargs='*')
    options = parser.parse_args()
    kernels = options.kernels or sorted(
        glob.glob(os.path.join(ROOT, 'test', 'Kernels', '*.cu')))
    outputs = failures = functions = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            name = os.path.basename(kernel)[:-3]
            before, words = nvcc(kernel, ARCHS, folder)
            if before is None:
                print(f'{name}: the original does not compile: {words[:200]}')
                failures += 1
                continue
            for variant, archs in VARIANTS.items():
                arch = 'sm_75' if archs[0] == '75' else 'sm_86'
                path = os.path.join(folder, f'{name}.{variant}.cu')
                made = subprocess.run(
                    [options.kpipe, 'rewrite', kernel, '--arch=' + arch,
                     '--variant=' + variant, '-o', path],
                    capture_output=True, text=True)
                if made.returncode:
                    print(f'{name} {variant}: kpipe failed: {made.stderr}')
                    failures += 1
                    continue
                outputs += 1
                after, words = nvcc(path, archs, folder)
                words = words or clang(options.clang, path, archs)
                if after is None or words:
                    print(f'{name} {variant}: does not compile: {words[:400]}')
                    failures += 1
                    continue
                for key, bytes_after in after.items():
                    functions += 1
                    if bytes_after > before.get(key, 0):
                        failures += 1
                        print(f'{name} {variant}: {key[0]} spills '
                              f'{bytes_after} bytes on sm_{key[1]}, before '
                              f'{before.get(key, 0)}')
            print(f'{name} done', file=sys.stderr)
    print(f'{outputs} outputs, {functions} functions x architectures, '
          f'{failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
