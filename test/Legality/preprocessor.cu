// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule preprocessor: text that this parse does not read is read by the host's
// pass, or for another architecture. It must not name what the rewrite changes,
// and directives must keep their place.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int T = 64;

__global__ void host_branch(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
#ifdef __CUDA_ARCH__
      sum += __fmul_rn(xs[j], threadIdx.x ^ j);
#else
      sum += xs[j] * (threadIdx.x ^ j);
#endif
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: preprocessor.cu:[[#@LINE-7]]:14: warning: not pipelined: 'xs' is named in text that a preprocessor conditional skips here; the host pass or another architecture may compile it [kpipe-preprocessor]

// Another architecture reads the tile after the loop.
__global__ void after(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
#if __CUDA_ARCH__ < 800
  sum += xs[0];
#endif
  y[threadIdx.x] = sum;
}
// CHECK: preprocessor.cu:[[#@LINE-4]]:10: warning: not pipelined: 'xs' is named in text

// The load's halves would part a condition's lines.
__global__ void in_load(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r < T; r += 32) {
#if __CUDA_ARCH__ >= 800
      xs[threadIdx.x + r] = x[i + r + threadIdx.x];
#endif
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: preprocessor.cu:[[#@LINE-11]]:2: warning: not pipelined: there is a preprocessor conditional in the load region or in the loop header [kpipe-preprocessor]

// Defined again in each copy of the text.
__global__ void defined(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
#define WEIGHT (threadIdx.x ^ j)
      sum += xs[j] * WEIGHT;
      // CHECK: preprocessor.cu:[[#@LINE-2]]:2: warning: not pipelined: there is a '#define' in the loop body [kpipe-preprocessor]
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Conditions inside one statement of the compute that name nothing changed, and
// text that nobody reads.
__global__ void whole(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float v = xs[j] * (threadIdx.x ^ j);
#ifdef __CUDA_ARCH__
      sum = __fadd_rn(sum, v);
#else
      sum += v;
#endif
#if 0
      sum += xs[0];
#endif
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: preprocessor.cu:[[#@LINE-18]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]

// Each pass has a helper of its own: the halves of one would be missing for the
// other.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ void by_arch(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x] + 1;
}
#else
__device__ void by_arch(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x] + 1;
}
#endif
// CHECK: preprocessor.cu:[[#@LINE-8]]:17: warning: not pipelined: helper 'by_arch' fills the tile and stands under a preprocessor condition on the architecture, which the kernel does not; the host pass or another architecture would not find its halves [kpipe-preprocessor]
__global__ void helper_by_arch(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    by_arch(xs, x + i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The kernel stands under it as well, and another condition is another run's.
#ifdef __CUDA_ARCH__
#ifndef SLOW
__device__ void with_kernel(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x] + 2;
}
#if __CUDA_ARCH__ >= 700
__global__ void under_condition(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    with_kernel(xs, x + i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#endif
#endif
#endif
// CHECK: preprocessor.cu:[[#@LINE-11]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
