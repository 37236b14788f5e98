// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads may store to a tile that the copy engine brings if it brings every byte
// of the array anew: nothing of an earlier tile is left then.
//
// RUN: %kpipe rewrite %s --arch=sm_90 --registers=estimate -o %t.cu \
// RUN:   -- -I%source-dir/runtime/include 2>&1 | FileCheck %s --implicit-check-not='{{[0-9]: (remark|warning):}}'

#include <kpipe/pipeline.h>

constexpr int T = 64, C = 256;

__device__ __forceinline__ void own_copy(float *to, const float *from, unsigned bytes,
                                         unsigned long long *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(to)),
               "l"(from), "r"(bytes), "r"((unsigned)__cvta_generic_to_shared(bar))
               : "memory");
}


// All of it, by two copies.
__global__ void __launch_bounds__(T) whole(const float *A, float *y, int n, bool more) {
  __shared__ __align__(16) float s[C];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    kpipe::init_full(full);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x == 0) {
      kpipe::expect_tile(full, 1024);
      kpipe::load_row(s[0], &A[t * C], 512, full);
      kpipe::load_row(s[128], &A[t * C + 128], 512, full);
    }
    kpipe::wait_full(full, t & 1);
    if (more) {
      s[threadIdx.x] += 1;
      __syncthreads();
    }
    for (int i = 0; i < C; ++i)
      sum = sum * 0.5f + s[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined

// The last quarter keeps what threads stored in an earlier turn.
__global__ void __launch_bounds__(T) partly(const float *A, float *y, int n, bool more) {
  __shared__ __align__(16) float s[C];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    kpipe::init_full(full);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x == 0) {
      kpipe::expect_tile(full, 768);
      kpipe::load_row(s[0], &A[t * C], 768, full);
    }
    kpipe::wait_full(full, t & 1);
    if (t == 0)
      s[192 + threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < C; ++i)
      sum = sum * 0.5f + s[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: one-stage TMA loop: the compute region also stores to 's'

// Twice the same half: as many bytes as it has.
__global__ void __launch_bounds__(T) half_twice(const float *A, float *y, int n, bool more) {
  __shared__ __align__(16) float s[C];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    kpipe::init_full(full);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x == 0) {
      kpipe::expect_tile(full, 1024);
      kpipe::load_row(s[0], &A[t * C], 512, full);
      kpipe::load_row(s[0], &A[t * C], 512, full);
    }
    kpipe::wait_full(full, t & 1);
    if (t == 0)
      s[192 + threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < C; ++i)
      sum = sum * 0.5f + s[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: one-stage TMA loop: the compute region also stores to 's'

// An instruction of the author's: whether it copies what it says is not checked.
__global__ void __launch_bounds__(T) authors(const float *A, float *y, int n, bool more) {
  __shared__ __align__(16) float s[C];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    kpipe::init_full(full);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x == 0) {
      kpipe::expect_tile(full, 1024);
      own_copy(s, &A[t * C], 1024, &full);
    }
    kpipe::wait_full(full, t & 1);
    if (more) {
      s[threadIdx.x] += 1;
      __syncthreads();
    }
    for (int i = 0; i < C; ++i)
      sum = sum * 0.5f + s[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: 's' is written here, but not by the copies of a tile
