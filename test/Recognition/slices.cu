// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices: a statement goes with the load if a copy needs it, with the compute if
// that needs it, and runs in both if both need it and it has no effect.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void slices(const float *__restrict__ x, const float *__restrict__ w,
                       float *y, int n, int stride) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop slices
    // CHECK: induction i load compute
    int from = i * stride + threadIdx.x;
    // CHECK: item [[#@LINE-1]]:5 load{{$}}
    int scaled = i / 2;
    // CHECK-NEXT: item [[#@LINE-1]]:5 load and compute
    float weight = w[i];
    // CHECK-NEXT: item [[#@LINE-1]]:5 compute
    tile[threadIdx.x] = x[from + scaled];
    // CHECK-NEXT: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * weight * scaled;
    // CHECK: item [[#@LINE-2]]:5 compute
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The load reads no variable of the header: only its own pointer, which the
// load alone advances.
__global__ void bumped(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK-LABEL: tile-loop bumped
    // CHECK-NEXT: kind for
    // CHECK-NEXT: induction i compute{{$}}
    // CHECK-NOT: private-to-load
    tile[threadIdx.x] = x[threadIdx.x];
    x += T;
    // CHECK: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * i;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Both read the pointer and both see it advance: the load keeps a copy.
__global__ void both(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK-LABEL: tile-loop both
    // CHECK: private-to-load x
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * x[0];
    x += T;
    // CHECK: item [[#@LINE-1]]:5 load and compute
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
