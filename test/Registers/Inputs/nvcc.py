#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands for nvcc: says of the kernels of a file what a table says of texts like
# it. A line of $NVCC_TABLE is `KERNEL REGISTERS SPILLED REGEX`; the last one
# whose expression is found in the text counts. A KERNEL that begins with a dot
# is a function that kernels call; for `!` the text is refused, for `~` it takes
# long. Writes a line to $NVCC_RUNS, and its arguments to $NVCC_RUNS.args.
import os
import re
import sys
import time

if '--version' in sys.argv:
    sys.exit(print('Cuda compilation tools, release 99.0, V99.0.1'))
if '--dryrun' in sys.argv:
    # As nvcc does: variables, then commands.
    sys.exit(print('#$ _HERE_=' + os.environ['PATH'],
                   '#$ PATH=' + os.environ['PATH'],
                   '#$ NVVM=' + os.environ['PATH'] + '/nvvm',
                   '#$ -- Filter Dependencies -- > x.d',
                   '#$ "$NVVM/cicc" -arch compute_90 x.ii',
                   '#$ ptxas -arch=sm_90 x.ptx', sep='\n'))
with open(os.environ['NVCC_RUNS'], 'a') as file:
    file.write(sys.argv[-1] + '\n')
with open(os.environ['NVCC_RUNS'] + '.args', 'a') as file:
    file.write(' '.join(sys.argv[1:]) + '\n')
with open(sys.argv[-1]) as file:
    text = file.read()
if '// sleep' in text:
    time.sleep(100)
if '#error' in text:
    sys.exit(sys.argv[-1] + '(1): error: #error directive')
found = {}
with open(os.environ['NVCC_TABLE']) as file:
    for line in file.read().splitlines():
        kernel, registers, spilled, regex = line.split(' ', 3)
        if re.search(regex, text, re.S):
            found[kernel] = registers, spilled
if '~' in found:
    time.sleep(100)
if '!' in found:
    sys.exit(sys.argv[-1] + '(7): error: odd loop')
for kernel, (registers, spilled) in found.items():
    if not kernel.startswith('.'):
        print(f"ptxas info    : Compiling entry function '{kernel}' for 'sm_90'")
    print(f'ptxas info    : Function properties for {kernel.lstrip(".")}\n'
          f'    0 bytes stack frame, {spilled} bytes spill stores, 0 bytes spill loads')
    if not kernel.startswith('.'):
        print(f'ptxas info    : Used {registers} registers, used 1 barriers, 16384 bytes smem')
with open(sys.argv[sys.argv.index('-MF') + 1], 'w') as file:
    quoted = re.findall(r'#include "(\w+\.h)"', text)
    file.write('x.cubin : ' + ' \\\n  '.join(
        os.path.abspath(name) for name in quoted) + '\n')
with open(sys.argv[sys.argv.index('-o') + 1], 'w') as file:
    file.write(text)  # for nvdisasm.py
