// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that the unit itself makes point to constant memory: cp.async reads
// global memory only.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="cp.async"
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not="cp.async ["
// ALONE-COUNT-6: not pipelined

constexpr int T = 64;
__constant__ float4 table[4 * T];
constexpr const float4 *name = table;
__device__ const float4 *held = table;
struct Set {
  static constexpr const float4 *data = table + T;
};
__constant__ const float4 *both[2] = {table, table + T};
struct Part {
  const float4 *p;
};
__device__ Part part = {table};
constexpr const float4 *second() { return name; }
constexpr Part made = {second()};

#define KERNEL(Name, Value)                                                    \
  __global__ void __launch_bounds__(T) Name(float *__restrict__ y, int n) {    \
    __shared__ float4 s[T];                                                    \
    float sum = 0;                                                             \
    for (int i = 0; i < n; i += T) {                                           \
      s[threadIdx.x] = (Value)[(i + threadIdx.x) & (4 * T - 1)];               \
      __syncthreads();                                                         \
      for (int j = 0; j < T; ++j)                                              \
        sum += s[j].x * (j ^ threadIdx.x);                                     \
      __syncthreads();                                                         \
    }                                                                          \
    y[threadIdx.x] = sum;                                                      \
  }

// CHECK-COUNT-6: not pipelined
KERNEL(by_name, name)
KERNEL(by_variable, held)
KERNEL(by_member, Set::data)
KERNEL(by_table, both[i & 1])
KERNEL(by_object, part.p)
KERNEL(by_call, made.p)
