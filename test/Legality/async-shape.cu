// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule async-shape: cp.async takes 4, 8 or 16 contiguous bytes that are aligned to
// their size and only copied. A copy of another shape goes through registers; only
// where that is impossible too, or cp.async was asked for, is the loop refused.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=plan %s 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=PLAN
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=cp-async %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Pure copies of 4 and 16 bytes; zero fill is a copy with a size.
// PLAN: copy to xs, 4 bytes: registers, a copy of 4 bytes is faster through registers
// PLAN-NEXT: copy to vs, 16 bytes: cp.async, a pure copy of 16 bytes
__global__ void pure(const float *__restrict__ x, const float4 *__restrict__ v,
                     float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ float4 vs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: async-shape.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, vs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.0f;
    vs[threadIdx.x] = v[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * vs[j].x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A conversion, two bytes, fills that are not zero, an ordinary store that an
// asynchronous copy could overtake, and bytes that may lie anywhere: all through
// registers.
// PLAN: copy to halves, 4 bytes: registers, its value is computed or converted, not copied
// PLAN-NEXT: copy to shorts, 2 bytes: registers, it copies 2 bytes per thread, and cp.async takes 4, 8 or 16
// PLAN-NEXT: copy to ones, 4 bytes: registers, its value is computed or converted, not copied
// PLAN-NEXT: copy to late, 4 bytes: registers, another store of the load region writes 'late', and an asynchronous copy could land after it
// PLAN-NEXT: copy to late, 4 bytes: registers, its value is computed or converted, not copied
// PLAN-NEXT: copy to twos, 4 bytes: registers, its fill value is not zero
// PLAN-NEXT: copy to pairs, 8 bytes: registers, it has 8 bytes, but only 4-byte alignment
struct Pair {
  float first, second;
};
__global__ void other_shapes(const float *__restrict__ x,
                             const short *__restrict__ s,
                             const Pair *__restrict__ p,
                             float *__restrict__ y, int n) {
  __shared__ float halves[T];
  __shared__ short shorts[T];
  __shared__ float ones[T];
  __shared__ float late[T + 1];
  __shared__ float twos[T];
  __shared__ Pair pairs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: async-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: cp.async was asked for, but its value is computed or converted, not copied [kpipe-async-shape]
    // CHECK: async-shape.cu:[[#@LINE-2]]:3: note: leave the choice to --variant=auto
    halves[threadIdx.x] = x[i + threadIdx.x] / 2;
    shorts[threadIdx.x] = s[i + threadIdx.x];
    ones[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 1.0f;
    late[threadIdx.x] = x[i + threadIdx.x];
    if (threadIdx.x == 0)
      late[T] = 1;
    if (i + threadIdx.x < n)
      twos[threadIdx.x] = x[i + threadIdx.x];
    else
      twos[threadIdx.x] = 2.0f;
    pairs[threadIdx.x] = p[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += halves[j] + shorts[j] + ones[j] + late[j + 1] + twos[j] +
             pairs[j].second;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A varying guard needs a single buffer, which cp.async cannot fill while it is
// read.
__global__ void single_buffer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: async-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: cp.async was asked for and needs a second buffer, but 'xs' is stored under a condition that varies from iteration to iteration [kpipe-async-shape]
    // CHECK: async-shape.cu:[[#@LINE-2]]:3: note: leave the choice to --variant=auto
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// So does an array that is used before the loop where not all threads come to it.
__global__ void used_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (n < T)
    return;
  xs[threadIdx.x] = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: async-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: cp.async was asked for and needs a second buffer, but 'xs' is also used before the loop, and not all threads of the block may come to it [kpipe-async-shape]
    // CHECK: async-shape.cu:[[#@LINE-2]]:3: note: leave the choice to --variant=auto
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
