// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does not compile as a pipeline is the refusal of that loop; the rest of
// the file is written.
// RUN: %kpipe rewrite --arch=sm_86 %s -o %t.cu -- -D_Pending=3 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=TEXT

// A parameter in the runtime header has a reserved name that is defined here.
constexpr int T = 64;

// CHECK: unsupported.cu:[[@LINE+7]]:3: warning: not pipelined: what kpipe would write for this loop does not compile: {{.*}} [kpipe-unsupported]
// TEXT: {{^}}asynchronous
// TEXT: {{^}}  for (int i = 0; i < n; i += T) {
__global__ void __launch_bounds__(T)
asynchronous(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: unsupported.cu:[[@LINE+7]]:3: remark: pipelined K-loop
// TEXT: {{^}}plain
// TEXT: compute_tile
__global__ void __launch_bounds__(T)
plain(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
