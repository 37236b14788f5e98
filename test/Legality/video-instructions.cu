// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's video instructions compute from registers to registers, also those that
// CUDA's headers write in assembly.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='not pipelined'

#include <cuda_runtime.h>

constexpr int T = 128;

__device__ unsigned two_by_two(unsigned a, unsigned b) {
  unsigned r = 0, s;
  asm("vavrg2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(b), "r"(r));
  asm("vmin2.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(s), "r"(b), "r"(a));
  return r;
}

__device__ unsigned scaled(unsigned a, unsigned b) {
  unsigned r;
  asm("vmad.u32.u32.u32.shr7 %0, %1.b0, %2.b1, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(a));
  return r;
}

__global__ void __launch_bounds__(T)
    sad(const unsigned *__restrict__ block, const unsigned *__restrict__ places,
        unsigned *__restrict__ out, int n) {
  __shared__ unsigned s[T];
  unsigned sum = 0;
  const unsigned mine = block[threadIdx.x];
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of s
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = places[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += __vsadu4(s[j], mine) + __vabsdiffs2(s[j], mine) +
             __vavgs4(s[j], mine) + two_by_two(s[j], mine) + scaled(s[j], mine);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
