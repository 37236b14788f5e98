// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches around barriers that stay: which one runs is not known, is not the
// same in all instances, or would not mean the same in the body itself.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

#include <cuda_pipeline.h>

constexpr int T = 64;

// Instances take both branches.
template <int Stages>
__global__ void both(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Stages > 1) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      xs[threadIdx.x ^ 1] = x[i + threadIdx.x];
      __syncthreads();
    } else {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
    }
    sum += xs[threadIdx.x ^ 3];
    if constexpr (Stages > 0)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void both<1>(const float *, float *, int);
template __global__ void both<2>(const float *, float *, int);

// Only the run knows.
__global__ void of_run(const float *__restrict__ x, float *__restrict__ y, int n,
                       bool direct) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (direct) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[threadIdx.x ^ 3];
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

// The branch's variable would be another one of that name for what follows.
template <bool Direct>
__global__ void hides(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0, v = 1;
  for (int i = 0; i < n; i += T) {
    if constexpr (Direct) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      float v = x[i + threadIdx.x];
      xs[threadIdx.x] = v;
      __syncthreads();
      sum += xs[threadIdx.x ^ 3];
      __syncthreads();
    }
    sum += v;
  }
  y[threadIdx.x] = sum;
}
template __global__ void hides<true>(const float *, float *, int);

// The same for what only other instances see.
template <bool Direct, bool Other>
__global__ void hides_from_others(const float *__restrict__ x,
                                  float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0, v = 1;
  for (int i = 0; i < n; i += T) {
    if constexpr (Direct) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      float v = x[i + threadIdx.x];
      xs[threadIdx.x] = v;
      __syncthreads();
      sum += xs[threadIdx.x ^ 3];
      __syncthreads();
    }
    if constexpr (Other)
      sum += v;
  }
  y[threadIdx.x] = sum + v;
}
template __global__ void hides_from_others<true, false>(const float *, float *,
                                                        int);

// An object of the branch says when it ends.
struct Doubled {
  float &of;
  __device__ ~Doubled() { of *= 2; }
};
template <bool Direct>
__global__ void ends(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Direct) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      Doubled doubled{sum};
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[threadIdx.x ^ 3];
      __syncthreads();
    }
    sum += 1;
  }
  y[threadIdx.x] = sum;
}
template __global__ void ends<true>(const float *, float *, int);

// Another configuration's text stands in the branch that would go.
template <bool Direct>
__global__ void configured(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Direct) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[threadIdx.x ^ 3];
      __syncthreads();
    } else {
#ifdef OTHER
      sum += 2;
#endif
    }
  }
  y[threadIdx.x] = sum;
}
template __global__ void configured<true>(const float *, float *, int);

// Where instances differ in one loop, it keeps its condition; the other loop's
// copies are read as plain ones all the same.
template <int Stages>
__global__ void __launch_bounds__(T)
beside(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], zs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Stages > 1) {
      // CHECK: constant-branches.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is in a branch that other instances of the template may not take [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
    } else {
      xs[threadIdx.x ^ 1] = x[i + threadIdx.x];
      __syncthreads();
    }
    sum += xs[threadIdx.x ^ 3];
    if constexpr (Stages > 0)
      __syncthreads();
  }
  for (int i = 0; i < n; i += T) {
    // CHECK: constant-branches.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of zs, {{.*}} [kpipe-pipelined]
    __pipeline_memcpy_async(&zs[threadIdx.x], &x[i + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += zs[j] * float((threadIdx.x ^ j) & 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void beside<1>(const float *, float *, int);
template __global__ void beside<2>(const float *, float *, int);
