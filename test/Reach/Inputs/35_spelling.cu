// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings of nvcc in a header, in templates, lambdas, statement expressions and casts.
#include "35_spelling.cuh"
template <class F> __device__ void each(F f) { f(1); }
struct S { template <int N> __device__ int m(int a) { int r; each([&](int i) { asm("add.s32 %0, %1, %2; // %tid.x" : "=r"(r) : "r"(a)"r"(i)); }); return r; } };
__global__ void k(int *p) { S s; p[0] = s.m<3>(p[1]); int q = ({ int z; asm("add.s32 %0, %1, %2;" : "=r"(z) : "r"(1) "r"(2)); z; }); p[2] = q; if (int(q) < 3) (void)(int)({ int z; asm("mov.u32 %0, %1;" : [o] "=r"(z) : [i] "r"(q)); z; }); }
auto l = [](int *p) { k<< <1, 1>> >(p); };
void g(int *p) { int x = 1 << 2 >> 1; if (x<< 3 > 2) k<<<dim3(x << 1, x >> 1), 1>>>(p); (k<< <1, 1>> >(p)); }
