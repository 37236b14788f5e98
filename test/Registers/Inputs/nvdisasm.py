#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands for nvdisasm: lists for what nvcc.py compiled a kernel with an inner loop
# in a loop with a barrier. A line of $CODE_TABLE is `KERNEL INSTRUCTIONS REGEX`,
# of the inner loop; the last one whose expression is found in the text counts.
# Writes a line to $CODE_RUNS.
import os
import re
import sys

with open(sys.argv[-1]) as file:
    text = file.read()
with open(os.environ['CODE_RUNS'], 'a') as file:
    file.write(sys.argv[-1] + '\n')
found = {}
with open(os.environ['CODE_TABLE']) as file:
    for line in file.read().splitlines():
        kernel, instructions, regex = line.split(' ', 2)
        if re.search(regex, text, re.S):
            found[kernel] = int(instructions)
for kernel, instructions in found.items():
    code = (['.L_x_0:', 'BAR.SYNC.DEFER_BLOCKING 0x0', '.L_x_1:', 'LDS.128 R4, [R2]'] +
            ['FFMA R0, R1, R2, R0'] * (instructions - 2) +
            ['@P0 BRA `(.L_x_1)', '@P1 BRA `(.L_x_0)', 'EXIT'])
    print(f'\t.section\t.text.{kernel},"ax",@progbits\n.text.{kernel}:')
    for at, line in enumerate(code):
        print(line if line.startswith('.') else f'        /*{16 * at:04x}*/  {line} ;')
