// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of the compute that waits for another thread: the next tile may be what
// that thread stores, and would be loaded before. Loops that only count, and
// tiles that no thread stores, are neighbours.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s

constexpr int T = 64;

#define KERNEL(Name, Promise)                                                  \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *Promise x, int *__restrict__ ready,                    \
           float *__restrict__ y, int n) {                                     \
    __shared__ float s[T];                                                     \
    const int t = threadIdx.x;                                                 \
    float sum = 0;                                                             \
    for (int i = 0; i < n; i += T) {                                           \
      s[t] = __ldcg(&x[i + t]);                                                \
      __syncthreads();                                                         \
      for (int j = 0; j < T; ++j)                                              \
        sum += s[j] * (t ^ j);

#define END                                                                    \
      __syncthreads();                                                         \
    }                                                                          \
    y[t] = sum;                                                                \
  }

KERNEL(by_atomic, )
  // CHECK: [[#@LINE+1]]:{{.*}} not pipelined: the compute region waits for what another thread stores
  if (t == 0)
    while (atomicAdd(ready, 0) < i + T)
      ;
END

KERNEL(by_volatile, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (*(volatile int *)ready < i + T)
    ;
END

KERNEL(by_variable, )
  int v;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  do {
    v = __ldcg(ready);
  } while (v < i + T);
END

KERNEL(by_jump, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (;;) {
    if (atomicCAS(ready, i, i) == i)
      break;
  }
END

__device__ void wait(const int *ready, int i) {
  while (*(const volatile int *)ready < i)
    ;
}
KERNEL(by_call, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  wait(ready, i);
END

// CHECK-NOT: not pipelined
// CHECK: pipelined K-loop
__global__ void __launch_bounds__(T)
counted(const float *x, int *__restrict__ ready, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = __ldcg(&x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 4; ++j)
      atomicAdd(ready + j, 1);
    int k = 0;
    while (k < 4)
      atomicAdd(ready + k++, 1);
    sum += s[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: pipelined K-loop
__global__ void __launch_bounds__(T)
promised(const float *__restrict__ x, int *__restrict__ ready,
         float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += s[threadIdx.x ^ 1];
    if (threadIdx.x == 0)
      while (atomicAdd(ready, 0) < i + T)
        ;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
