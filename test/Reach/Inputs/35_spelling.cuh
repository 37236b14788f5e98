// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void h(const int *x, int *y) { int v; asm("mov.u32 %0, %laneid;" : "=r"(v)); y[v] = x[v]; }
inline void go(int *x) { h<< <1, 2>> >(x, x); }
