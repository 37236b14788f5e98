#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# shapes.py MxN...: the first Hopper GEMM of gemm.cu with tiles of M x N x 64 in
# the place of 128x256x64, as gemm_MxN.cu in the current folder: a warpgroup for
# 64 rows, and as many blocks on an SM as fit. N is 64, 128 or 256.
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def wgmma(n):
    """One instruction for 64 x n sums, as gemm.cu has it for 256."""
    sums = n // 2
    operands = ','.join(f'%{i}' for i in range(sums))
    outputs = ', '.join(f'"+f"(d[{i}])' for i in range(sums))
    return (f'__device__ __forceinline__ void wgmma_m64n{n}k16(float (&d)[{sums}], uint64_t a,\n'
            '                                                 uint64_t b) {\n'
            f'  asm volatile("wgmma.mma_async.sync.aligned.m64n{n}k16.f32.bf16.bf16 '
            f'{{{operands}}}, %{sums}, %{sums + 1}, 1, 1, 1, 0, 0;"\n'
            f'               : {outputs}\n               : "l"(a), "l"(b));\n}}\n\n')


def shaped(text, m, n):
    begin, end = text.index('#define SUMS4'), text.index('__global__ void')
    text = text[:begin] + wgmma(n) + text[end:]
    for old, new in (('BM = 128, BN = 256, BK = 64, Threads = 256',
                      f'BM = {m}, BN = {n}, BK = 64, Threads = {2 * m}'),
                     ('__launch_bounds__(Threads, 1)', '__launch_bounds__(Threads)'),
                     ('wgmma_m64n256k16(acc', f'wgmma_m64n{n}k16(acc')):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def main():
    if len(sys.argv) < 2:
        sys.exit('usage: shapes.py MxN...')
    with open(os.path.join(HERE, 'gemm.cu')) as file:
        text = file.read()
    for shape in sys.argv[1:]:
        m, n = map(int, shape.split('x'))
        with open(f'gemm_{shape}.cu', 'w') as file:
            file.write(shaped(text, m, n))


if __name__ == '__main__':
    main()
