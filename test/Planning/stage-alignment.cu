// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages of an array that is read and written 16 bytes at a time are aligned to
// them, although its elements ask for 4 only, however the array is said to be
// shared.
//
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg -o %t.cu 2>/dev/null
// RUN: %code %t.cu | FileCheck %s --match-full-lines

#define SMEM __shared__
#define SMEM_OF(Type) __shared__ Type
#define SMEM_ATTRIBUTE() __attribute__((shared))
#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(64)                                        \
      Name(const float4 *__restrict__ x, float *__restrict__ y, int n)

BEGIN(wide) {
  __shared__ float xs[256];
  // CHECK:   __shared__ __align__(16) float xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(attribute) {
  __attribute__((shared)) float xs[256];
  // CHECK:   __attribute__((shared)) __align__(16) float xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(among_others) {
  float __attribute__((aligned(8), shared /*)*/)) xs[256];
  // CHECK:   float __attribute__((aligned(8), shared /*)*/)) __align__(16)
  // CHECK:       xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(behind) {
  float xs[256] __attribute__((shared));
  // CHECK:   float xs_{{stages}}[2][256] __attribute__((shared)) __align__(16);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(macro) {
  SMEM float xs[256];
  // CHECK:   SMEM __align__(16) float xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(macro_with_type) {
  SMEM_OF(float) xs[256];
  // CHECK:   SMEM_OF(float) __align__(16) xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(macro_with_parentheses) {
  SMEM_ATTRIBUTE() float xs[256];
  // CHECK:   SMEM_ATTRIBUTE() __align__(16) float xs_{{stages}}[2][256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
