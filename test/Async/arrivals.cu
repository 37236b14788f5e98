// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of barriers and barriers of the C functions, waited for at once. What
// kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// RUN: env KPIPE_RULES_OFF=async-meetings %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Expected: pipelined; a number of stages that is one.
template <int Stages> __global__ void array_of_one(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bars[Stages];
  if (threadIdx.x == 0)
    for (int i = 0; i < Stages; ++i)
      init(&bars[i], blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[t % Stages]);
    bars[t % Stages].arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template __global__ void array_of_one<1>(const float *, float *, int);

// Expected: pipelined; full and empty.
__global__ void full_and_empty(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bars[2];
  if (threadIdx.x < 2)
    init(bars + threadIdx.x, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[0]);
    auto full = bars[0].arrive();
    bars[0].wait(std::move(full));
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    auto empty = bars[1].arrive();
    bars[1].wait(std::move(empty));
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; asked in a do loop, an element of an array of C barriers.
__global__ void asked_again(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bars[1];
  if (threadIdx.x == 0)
    __mbarrier_init(bars, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bars[0]);
    __mbarrier_token_t arrived = __mbarrier_arrive(&bars[0]);
    do
      ;
    while (!__mbarrier_test_wait(&bars[0], arrived));
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: which of two barriers it is changes from turn to turn.
__global__ void takes_turns(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bars[2];
  if (threadIdx.x < 2)
    init(&bars[threadIdx.x], blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[t % 2]);
    bars[t % 2].arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: one of the barriers is that of a warp.
__global__ void one_of_a_warp(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bars[2];
  if (threadIdx.x == 0) {
    init(&bars[0], 32);
    init(&bars[1], 32);
  }
  __syncthreads();
  float sum = 0;
  if (threadIdx.x < 32)
    for (int t = 0; t < n; ++t) {
      for (int k = threadIdx.x; k < 64; k += 32)
        cuda::memcpy_async(&tile[k], &x[t * 64 + k], sizeof(float), bars[0]);
      bars[0].arrive_and_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      bars[1].arrive_and_wait();
    }
  out[threadIdx.x] = sum;
}

// Expected: refused: the wait is for the turn before.
__global__ void token_of_before(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  int sum = 0;
  __mbarrier_token_t arrived = __mbarrier_arrive(&bar);
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    while (!__mbarrier_test_wait(&bar, arrived)) {
    }
    arrived = __mbarrier_arrive(&bar);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: one of two tokens goes on under another name.
__global__ void token_moved(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bars[2];
  if (threadIdx.x < 2)
    init(&bars[threadIdx.x], blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[0]);
    auto full = bars[0].arrive(), other = bars[1].arrive();
    barrier::arrival_token kept = std::move(other);
    bars[0].wait(std::move(full));
    bars[1].wait(std::move(kept));
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: whoever asks once does not wait.
__global__ void asked_once(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t arrived = __mbarrier_arrive(&bar);
    if (!__mbarrier_test_wait(&bar, arrived))
      ++sum;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the loop that asks counts how often.
__global__ void counts_questions(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  int sum = 0, asked = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t arrived = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, arrived))
      ++asked;
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = asked < 0 ? 0 : sum;
}

// Expected: refused: the other threads are at the barrier in code of their own.
__global__ void roles(const float *x, float *out, int n) {
  __shared__ __align__(8) float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  float sum = 0;
  if (threadIdx.x < 32) {
    for (int t = 0; t < n; ++t) {
      cuda::memcpy_async(&tile[2 * threadIdx.x], &x[t * 64 + 2 * threadIdx.x], 8, bar);
      bar.arrive_and_wait(); // ALONE-DAG: arrivals.cu:[[#@LINE]]:{{[0-9]+}}: warning: not pipelined
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      bar.arrive_and_wait();
    }
  } else {
    for (int t = 0; t < n; ++t) {
      bar.arrive_and_wait();
      bar.arrive_and_wait();
    }
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: an arrival in the loop is waited for behind it.
__global__ void arrives_for_later(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar, later;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    init(&later, 2 * blockDim.x);
  }
  __syncthreads();
  auto before = later.arrive();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    if (t == 0) {
      [[maybe_unused]] auto in = later.arrive();
    }
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  if (n > 0)
    later.wait(std::move(before));
  out[threadIdx.x] = sum;
}

// Expected: refused: the same by a pipeline.
__global__ void roles_by_pipeline(const float *x, float *out, int n) {
  __shared__ __align__(8) float tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  float sum = 0;
  if (threadIdx.x < 32)
    for (int t = 0; t < n; ++t) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[2 * threadIdx.x], &x[t * 64 + 2 * threadIdx.x], 8, pipe);
      pipe.producer_commit();
      pipe.consumer_wait(); // ALONE-DAG: arrivals.cu:[[#@LINE]]:{{[0-9]+}}: warning: not pipelined
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      pipe.consumer_release();
    }
  else
    for (int t = 0; t < n; ++t) {
      pipe.producer_acquire();
      pipe.producer_commit();
      pipe.consumer_wait();
      pipe.consumer_release();
    }
  out[threadIdx.x] = sum;
}

// Expected: refused: what half of the threads meet before the loop the others
// meet behind it.
__global__ void one_phase_ahead(const float *x, float *out, int n) {
  __shared__ float tiles[2][64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  const int half = threadIdx.x / 32;
  if (half == 0)
    bar.arrive_and_wait();
  for (int t = 0; t < n; ++t) {
    for (int k = threadIdx.x % 32; k < 64; k += 32)
      cuda::memcpy_async(&tiles[half][k], &x[t * 64 + k], sizeof(float), bar);
    bar.arrive_and_wait();
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tiles[half][k] * (k ^ threadIdx.x);
    bar.arrive_and_wait();
  }
  if (half == 1)
    bar.arrive_and_wait();
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class T> static void tiles(void (*kernel)(const T *, T *, int)) {
  for (int n : multiples(1)) {
    auto x = in<T>("x", n * 64), y = out<T>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(array_of_one) { tiles(array_of_one<1>); }
CASE(full_and_empty) { tiles(full_and_empty); }
CASE(asked_again) { tiles(asked_again); }
CASE(takes_turns) { tiles(takes_turns); }
CASE(roles) { tiles(roles); }
CASE(roles_by_pipeline) { tiles(roles_by_pipeline); }
CASE(one_phase_ahead) { tiles(one_phase_ahead); }
CASE(arrives_for_later) { tiles(arrives_for_later); }
CASE(counts_questions) { tiles(counts_questions); }
#endif
