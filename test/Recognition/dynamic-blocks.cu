// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory is one buffer with all that is carved out of it: its
// views. It may be a ring if nothing in the kernel reaches it by another name.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void carved(const float *__restrict__ x, const float *__restrict__ w,
                       float *y, int n) {
  extern __shared__ float smem[];
  float *xs = smem;
  float *ws = xs + T;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop carved
    // CHECK: buffer smem 0 bytes, align 4, ring
    // CHECK-NEXT: view xs
    // CHECK-NEXT: view ws
    xs[threadIdx.x] = x[i + threadIdx.x];
    // CHECK-NEXT: copy [[#@LINE-1]]:5 to smem, 4 bytes
    ws[threadIdx.x] = w[i + threadIdx.x];
    // CHECK-NEXT: copy [[#@LINE-1]]:5 to smem, 4 bytes
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ws[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The pointer moves, so it is no view: it would have to move by the stage too.
__global__ void moved(const float *__restrict__ x, float *y, int n) {
  extern __shared__ float smem[];
  float *to = smem;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop moved
    // CHECK: buffer smem 0 bytes, align 4, single: 'smem' {{.*}} before the loop
    to[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
    to = to == smem ? smem + T : smem;
  }
  y[threadIdx.x] = sum;
}

// Who asks for the size sees that of all stages.
__global__ void measured(const float *__restrict__ x, float *y, int n) {
  extern __shared__ float smem[];
  unsigned size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  float sum = size;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop measured
    // CHECK: buffer smem 0 bytes, align 4, single: 'smem' {{.*}}shared memory
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
