// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const int *x, int *y, int n) {
  __shared__ int xs[256];
  int t = threadIdx.x, s = 0;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(xs[t ^ 1]), "r"(k) "r"(s));   // no comma: nvcc takes it
    __syncthreads();
  }
  y[t] = s;
}
