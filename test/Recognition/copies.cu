// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: for each store of a tile its bytes, how it fills what is not loaded,
// the helper that holds it, and whether its shape allows cp.async.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__device__ void bring(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x];
}

__global__ void
copies(const float *__restrict__ x, const float4 *__restrict__ x4,
       const short *__restrict__ x2, float *y, int n) {
  __shared__ float plain[T], ternary[T], if_else[T], named[T], in_helper[T];
  __shared__ float changed[T], converted[T];
  __shared__ float4 vectors[T];
  __shared__ short narrow[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop copies
    plain[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: copy [[#@LINE-1]]:5 to plain, 4 bytes, fill none, async{{$}}
    vectors[threadIdx.x] = x4[i + threadIdx.x];
    // CHECK: copy [[#@LINE-1]]:5 to vectors, 16 bytes, fill none, async{{$}}
    ternary[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.0f;
    // CHECK: copy [[#@LINE-1]]:5 to ternary, 4 bytes, fill ternary, async{{$}}
    if (i + threadIdx.x < n)
      if_else[threadIdx.x] = x[i + threadIdx.x];
      // CHECK: copy [[#@LINE-1]]:7 to if_else, 4 bytes, fill if-else, async{{$}}
    else
      if_else[threadIdx.x] = 0;
    float value = x[i + threadIdx.x];
    named[threadIdx.x] = value;
    // CHECK: copy [[#@LINE-1]]:5 to named, 4 bytes, fill none, async{{$}}
    bring(in_helper, x + i);
    // CHECK: copy 11:3 to in_helper, 4 bytes, fill none, in bring, async{{$}}
    changed[threadIdx.x] = 2 * x[i + threadIdx.x];
    // CHECK: copy [[#@LINE-1]]:5 to changed, 4 bytes, fill none, not async: {{.*}} computed
    converted[threadIdx.x] = x2[i + threadIdx.x];
    // CHECK: copy [[#@LINE-1]]:5 to converted, 4 bytes, fill none, not async: {{.*}} converted
    narrow[threadIdx.x] = x2[i + threadIdx.x];
    // CHECK: copy [[#@LINE-1]]:5 to narrow, 2 bytes, fill none, not async: {{.*}}2 bytes
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += plain[j] + ternary[j] + if_else[j] + named[j] + in_helper[j] +
             changed[j] + converted[j] + vectors[j].x + narrow[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
