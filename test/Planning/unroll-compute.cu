// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --unroll=compute: short loops of the compute region, in functions that it
// calls as well, unless the author has said how they are to be unrolled.
//
// RUN: %kpipe rewrite %s --arch=sm_86 --unroll=compute -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.keep.cu
// RUN: %code %t.keep.cu | FileCheck %s --check-prefix=KEEP
// KEEP-NOT: {{^ *#pragma unroll$}}
//
// RUN: %kpipe analyze %s --arch=sm_86 --unroll=compute --report=%t.json >/dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "unroll": "compute"
//
// One buffer or several, the loops are the same.
// RUN: %kpipe rewrite %s --arch=sm_86 --unroll=compute --stages=1 -o %t.one.cu
// RUN: %code %t.one.cu | FileCheck %s

constexpr int T = 16;

__global__ void in_region(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  // The author's pragma goes on speaking of the pipelined loop.
#pragma unroll 2
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      for (int k = 0; k < 2; ++k)
        sum += xs[j] * k;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void in_region{{[(]}}
// CHECK: {{^}}#pragma unroll{{$}}
// CHECK-NEXT: {{^ *}}for (int j
// CHECK-NEXT: {{^ *}}for (int k
// CHECK: {{^}}#pragma unroll 2{{$}}
// CHECK-NEXT: {{^ *}}for (

// What the author says stays, and a long or uncounted loop as it is.
__global__ void left_alone(const float *__restrict__ x, float *__restrict__ y,
                           int n, int m) {
  __shared__ float xs[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    for (int j = 0; j < 64; ++j)
      sum += xs[j];
    for (int j = 0; j < m; ++j)
      sum += xs[j];
    for (int j = threadIdx.x; j < 64; j += 32)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void left_alone{{[(]}}
// CHECK-NOT: {{^ *#pragma unroll$}}
// CHECK: {{^ *}}#pragma unroll 4
// CHECK-NOT: {{^ *#pragma unroll$}}

template <int Count> __device__ float sum_of(const float *xs) {
  float sum = 0;
  for (int j = 0; j < Count; ++j)
    sum += xs[j];
  return sum;
}
// CHECK-LABEL: float sum_of(const
// CHECK: {{^ *#pragma unroll$}}
// CHECK-NEXT: {{^ *}}for (int j

// Of two instantiations one is long.
template <int Count> __device__ float product_of(const float *xs) {
  float product = 1;
  for (int j = 0; j < Count; ++j)
    product *= xs[j];
  return product;
}
// CHECK-LABEL: float product_of(const
// CHECK-NOT: {{^ *#pragma unroll$}}
// CHECK-LABEL: {{^}}__global__ void in_callee{{[(]}}
template <int Count>
__global__ void in_callee(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += sum_of<T>(xs) + product_of<Count>(xs); __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void in_callee<4>(const float *, float *, int);
template __global__ void in_callee<64>(const float *, float *, int);

// A pragma begins a line.
__global__ void on_one_line(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (n > 3) for (int j = 0; j < T; ++j) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void on_one_line{{[(]}}
// CHECK: {{^ *}}if (n > 3)
// CHECK-NEXT: {{^}}#pragma unroll{{$}}
// CHECK-NEXT: {{^ *}}for (int j
