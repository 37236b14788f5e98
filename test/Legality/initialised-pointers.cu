// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that the unit itself makes point to constant memory: cp.async reads
// global memory only.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="remark: pipelined"

constexpr int T = 64;
__constant__ float4 table[4 * T];
constexpr const float4 *name = table;
struct Set {
  static constexpr const float4 *data = table + T;
};
__constant__ const float4 *both[2] = {table, table + T};
struct Part {
  const float4 *p;
};
constexpr const float4 *second() { return name; }
constexpr Part made = {second()};

// CHECK: not pipelined: the load region reads memory that cannot be traced
__global__ void __launch_bounds__(T) by_name(float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = name[(i + threadIdx.x) & (4 * T - 1)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: not pipelined: the load region reads memory that cannot be traced
__global__ void __launch_bounds__(T) by_member(float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = Set::data[i % T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: not pipelined: the load region reads memory that cannot be traced
__global__ void __launch_bounds__(T) by_table(float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = both[i / T & 1][threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: not pipelined: the load region reads memory that cannot be traced
__global__ void __launch_bounds__(T) by_call(float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = made.p[(i + threadIdx.x) & (4 * T - 1)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
