#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# shapes.py MxN[/W]...: the first Hopper GEMM of gemm.cu with tiles of M x N x 64 in
# the place of 128x256x64, as gemm_MxN.cu in the current folder: a warpgroup for
# 64 rows, and as many blocks on an SM as fit. N is 64, 128 or 256. MxN/W: by wgmma of
# W columns, as gemm_MxN_W.cu.
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


CALL = """wgmma_m64n256k16(acc, descriptor(As + group * 64 * BK + i),
                       descriptor(Bs + i));"""
PARTS = """for (int part = 0; part < BN / {w}; ++part)
        wgmma_m64n{w}k16(reinterpret_cast<float (&)[{sums}]>(acc[part * {sums}]),
                         descriptor(As + group * 64 * BK + i),
                         descriptor(Bs + part * {w} * BK + i));"""


def shaped(text, m, n, width=None):
    width = width or n
    begin, end = text.index('#define SUMS4'), text.index('__global__ void')
    text = text[:begin] + wgmma(width) + text[end:]
    if width != n:
        assert text.count(CALL) == 1
        text = text.replace(CALL, PARTS.format(w=width, sums=width // 2))
        text = text.replace('#pragma unroll\n    for (int i = 0; i < BK; i += 16)\n      for',
                            '#pragma unroll\n    for (int i = 0; i < BK; i += 16)\n'
                            '#pragma unroll\n      for')
    for old, new in (('BM = 128, BN = 256, BK = 64, Threads = 256',
                      f'BM = {m}, BN = {n}, BK = 64, Threads = {2 * m}'),
                     ('__launch_bounds__(Threads, 1)', '__launch_bounds__(Threads)'),
                     ('wgmma_m64n256k16(acc', f'wgmma_m64n{n}k16(acc')):
        assert text.count(old) == (old[0] != 'w' or width == n), old
        text = text.replace(old, new)
    return text


def named(text, shape):
    """That of MxN or MxN/W, and its name."""
    size, _, width = shape.partition('/')
    m, n = map(int, size.split('x'))
    return shaped(text, m, n, int(width or n)), 'gemm_' + shape.replace('/', '_')


def main():
    if len(sys.argv) < 2:
        sys.exit('usage: shapes.py MxN[/W]...')
    with open(os.path.join(HERE, 'gemm.cu')) as file:
        text = file.read()
    for shape in sys.argv[1:]:
        kernel, name = named(text, shape)
        with open(f'{name}.cu', 'w') as file:
            file.write(kernel)


if __name__ == '__main__':
    main()
