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

KERNEL(by_second_variable, )
  int v, w;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  do {
    v = *(volatile int *)ready;
    w = v;
  } while (w < i + T && i + T < n);
END

KERNEL(by_member, )
  struct {
    int v;
  } seen;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  do
    seen.v = *(volatile int *)ready;
  while (seen.v < i + T);
END

KERNEL(by_flag, )
  bool done = false;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (!done)
    if (*(volatile int *)ready >= i + T)
      done = true;
END

__device__ void get(const int *ready, int &v) { v = *(const volatile int *)ready; }
KERNEL(by_reference, )
  int v = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (v < i + T)
    get(ready, v);
END

KERNEL(beside_a_count, )
  int spins = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (__ldcg(ready) < i + T)
    ++spins;
END

KERNEL(for_some_time, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < 1000 && *(volatile int *)ready < i + T; ++k)
    ;
END

KERNEL(counted_by_flags, )
  int k = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (k < 1)
    if (*(volatile int *)ready >= i)
      ++k;
END

KERNEL(moved_by_flags, )
  int k = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (k < 1)
    k += *(volatile int *)ready >= i;
END

KERNEL(back_again, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < 4; ++k)
    if (atomicAdd(ready, 0) < i)
      --k;
END

KERNEL(back_by_result, )
  int k = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (k < 4)
    (k += 1) -= atomicAdd(ready, 0) < i;
END

KERNEL(back_by_closure, )
  int k = 0;
  auto back = [&] {
    if (atomicAdd(ready, 0) < i)
      --k;
  };
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (k < 4) {
    back();
    ++k;
  }
END

KERNEL(not_yet, )
  int k = 0;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  while (k < 4) {
    if (atomicAdd(ready, 0) < i)
      continue;
    ++k;
  }
END

KERNEL(until_as_many, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (unsigned k = 0; k != *(volatile unsigned *)ready; ++k)
    ;
END

KERNEL(until_seen, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < 1000000; ++k)
    if (__ldcg(ready) >= i + T)
      break;
END

KERNEL(bound_goes_on, )
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < y[t]; ++k)
    if (*(volatile int *)ready < i)
      y[t] += 1;
END

KERNEL(shared_bound_goes_on, )
  __shared__ int turns[T];
  turns[t] = 1;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < turns[t]; ++k)
    if (*(volatile int *)ready < i)
      turns[t] += 1;
END

KERNEL(bound_by_other_name, )
  int turns = 1;
  const int *p = &turns;
  // CHECK: not pipelined: the compute region waits for what another thread stores
  for (int k = 0; k < *p; ++k)
    if (*(volatile int *)ready < i)
      ++turns;
END

// Asked once, or a number of times, and then the kernel ends.
KERNEL(asked_once, )
  // CHECK: [[#@LINE+1]]:{{.*}} not pipelined: the compute region asks for what another thread stores
  if (*(volatile int *)ready < i + T)
    __trap();
END

KERNEL(asked_for_some_time, )
  bool done = false;
  // CHECK: not pipelined: the compute region asks for what another thread stores
  for (int k = 0; k < 1000000; ++k)
    if (!done)
      done = *(volatile int *)ready >= i + T;
  if (!done)
    __trap();
END

KERNEL(asked_by_atomics, )
  // CHECK: not pipelined: the compute region asks for what another thread stores
  if (atomicAdd(ready, 0) < i + T)
    __trap();
END

__device__ bool isThere(int *ready, int i) { return atomicCAS(ready, 7, 7) >= i; }
KERNEL(asked_by_call, )
  // CHECK: not pipelined: the compute region asks for what another thread stores
  if (!isThere(ready, i))
    __nanosleep(1000);
END

KERNEL(asked_for_a_step, )
  const int step = atomicOr(ready, 0) >= i;
  // CHECK: not pipelined: the compute region asks for what another thread stores
  for (int k = 0; k < 4; k += step)
    ;
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
    for (int k = 0; k < n; k = k + T / warpSize)
      atomicAdd(ready + 4, 1);
    for (int k = T; k > 0; k >>= 1)
      atomicAdd(ready + 5, 1);
    int twice = 1;
    do {
      atomicAdd(ready + 6, 1);
      twice *= 2;
    } while (twice < n);
    for (int k = 0; k < y[T]; ++k)
      atomicAdd(ready + 7, 1);
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
