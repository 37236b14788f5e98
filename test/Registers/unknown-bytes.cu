// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two stages that cost blocks are tried where nvcc says the registers, but not
// beside dynamic shared memory of which nobody knows the size: the launch might
// ask for more than a block may have.
// REQUIRES: nvcc
// RUN: env KPIPE_REGISTERS=nvcc %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s --implicit-check-not=allow-occupancy-drop
// RUN: env KPIPE_REGISTERS=nvcc %kpipe rewrite %s --arch=sm_86 -n -- -DKNOWN 2>&1 | FileCheck %s --check-prefix=KNOWN

// CHECK: single buffer of s
// CHECK: the size of the kernel's dynamic shared memory beside them is unknown
// KNOWN: 2 stages of s
// KNOWN: made as with --variant=cp-async --allow-occupancy-drop instead

constexpr int T = 256;

__global__ void __launch_bounds__(T)
beside_scratch(const float4 *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float4 s[4 * T];
#ifndef KNOWN
  extern __shared__ float extra[];
  for (int j = threadIdx.x; j < m; j += T)
    extra[j] = j;
  __syncthreads();
#else
  const float *extra = y;
#endif
  float sum = 0;
  for (int i = 0; i < n; i += 4 * T) {
    for (int q = 0; q < 4; ++q)
      s[threadIdx.x + q * T] = x[i + q * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += s[j].x * extra[(j * threadIdx.x) % m];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <class Kernel>
void go(Kernel kernel, size_t bytes, const float4 *x, float *y, int n, int m) {
  kernel<<<1, T, bytes>>>(x, y, n, m);
}
void run(const float4 *x, float *y, int n, int m) {
  go(beside_scratch, m * sizeof(float), x, y, n, m);
}
