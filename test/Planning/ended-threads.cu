// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that have ended move no tile: where assembly may end some, in the
// kernel or in what it calls, the launches ask for the memory of all stages.
// RUN: %kpipe analyze %s --arch=sm_86 2>&1 | tr -s ' \n' ' ' | FileCheck %s

__device__ void leave(int n) {
  if (threadIdx.x >= n)
    asm volatile("exit;");
}
__device__ void stay(int n) {
  if (threadIdx.x >= n)
    asm volatile("// no exit\n\tmembar.cta;" ::: "memory");
}

// CHECK: all_stay: pipelined {{.*}}fit the dynamic shared memory that the launches give as it is
__global__ void __launch_bounds__(128) all_stay(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ __align__(16) float smem[];
  int t = threadIdx.x;
  stay(n);
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    smem[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum += smem[j] * (t ^ j);
    __syncthreads();
  }
  smem[t] = sum;
  __syncthreads();
  y[t] = smem[127 - t];
}

// CHECK: some_leave: pipelined {{.*}}the launches ask for the dynamic shared memory of two stages
__global__ void __launch_bounds__(128) some_leave(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ __align__(16) float smem[];
  int t = threadIdx.x;
  leave(n);
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    smem[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum += smem[j] * (t ^ j);
    __syncthreads();
  }
  smem[t] = sum;
  __syncthreads();
  y[t] = smem[127 - t];
}

void launch(const float *x, float *y, int n) {
  all_stay<<<1, 128, 2048>>>(x, y, n);
  some_leave<<<1, 128, 2048>>>(x, y, n);
}
