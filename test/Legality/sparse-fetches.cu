// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse fetch says by a pointer whether the texel is there: it is no load that
// may come a tile earlier.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --block=64 %s 2>&1 | FileCheck %s --implicit-check-not="pipelined K-loop"
constexpr int T = 64;
__global__ void sparse(cudaTextureObject_t x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  bool here = false;
  for (int k = 0; k < n; k += T) {
    // CHECK: warning: not pipelined
    s[threadIdx.x] = tex2D<float>(x, float(k + threadIdx.x), 0.0f, &here);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j];
    if (!here)
      sum = -1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
