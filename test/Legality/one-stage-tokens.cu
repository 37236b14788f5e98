// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule foreign-async, one-stage loops of the copy engine at a cuda::barrier: each
// kernel is the first one with one thing that keeps its copies where they are.
//
// verdicts: sm_90a, from which on libcu++ declares these functions
// RUN: %kpipe rewrite --dry-run --arch=sm_90a %s 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int T = 128;

// What can be done.
__global__ void __launch_bounds__(T) legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) waited_twice(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: two statements of its body wait at 'bar' [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) some_wait(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: not every thread waits at 'bar' in every turn [kpipe-foreign-async]
    if (threadIdx.x < 64)
      bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) used_behind(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'bar' is used elsewhere than to issue and await the tile [kpipe-foreign-async]
  bar.arrive_and_wait();
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) counts_one(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'bar', at which all threads arrive, is not seen to be initialised for as many arrivals as the block has threads [kpipe-foreign-async]
    init(&bar, 1);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) counts_too_many(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'bar', at which all threads arrive, is not seen to be initialised for as many arrivals as the block has threads [kpipe-foreign-async]
    init(&bar, T + 1);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) counts_variable(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'bar', at which all threads arrive, is not seen to be initialised for as many arrivals as the block has threads [kpipe-foreign-async]
    init(&bar, n);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) counts_half(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'bar', at which all threads arrive, is not seen to be initialised for as many arrivals as the block has threads [kpipe-foreign-async]
    init(&bar, blockDim.x / 2);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) bytes_differ(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 256 bytes are expected, and 512 are copied [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 2);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) one_not_waited(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar, other;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    init(&other, 1);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 2, bar);
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'cp_async_bulk_global_to_shared' is for another mbarrier than the one that is waited for [kpipe-foreign-async]
      cde::cp_async_bulk_global_to_shared(xs + T / 2, x + i * T + T / 2, T * 2, other);
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'barrier_arrive_tx' is for another mbarrier than the one that is waited for [kpipe-foreign-async]
      (void)cuda::device::barrier_arrive_tx(other, 1, T * 2);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 2);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) arrives_twice(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: in a turn the thread that issues arrives 1 times at 'bar' and expects bytes 1 times, and each other thread arrives 2 times; understood is one expectation, and one arrival by it or by all threads [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      (void)bar.arrive();
      token = bar.arrive();
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: what it waits for is not the token that this turn's arrivals at the same mbarrier give, each of them, and nothing else uses [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) arrives_for_two(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'arrive' is not understood there [kpipe-foreign-async]
      token = bar.arrive(2);
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: what it waits for is not the token that this turn's arrivals at the same mbarrier give, each of them, and nothing else uses [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) some_arrive(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else if (threadIdx.x < 64) {
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'arrive' arrives or expects bytes under a condition of its own [kpipe-foreign-async]
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) token_kept(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token, last = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: the statements that issue change 'token', which is used elsewhere [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    last = token;
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: what it waits for is not the token that this turn's arrivals at the same mbarrier give, each of them, and nothing else uses [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + last;
}

__global__ void __launch_bounds__(T) token_of_other(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token, other;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: the statements that issue change 'other', which is used elsewhere [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      other = bar.arrive();
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: what it waits for is not the token that this turn's arrivals at the same mbarrier give, each of them, and nothing else uses [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + other;
}

__global__ void __launch_bounds__(T) not_initialised(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: the kernel does not initialise 'bar' where that can be seen [kpipe-foreign-async]
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) drops(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: 'arrive_and_drop' is not understood there [kpipe-foreign-async]
      bar.arrive_and_drop();
    }
    bar.wait(std::move(token));
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ inline void wait_and_count(barrier &bar, barrier::arrival_token &&token, float *y) {
  bar.wait(std::move(token));
  y[0] += 1;
}
__global__ void __launch_bounds__(T) wait_counts(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, T * 4);
    } else {
      token = bar.arrive();
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: what it waits for is not the token that this turn's arrivals at the same mbarrier give, each of them, and nothing else uses [kpipe-foreign-async]
    wait_and_count(bar, std::move(token), y);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Their wait orders the stores of all threads in front of their arrivals.
__global__ void __launch_bounds__(T) stored_in_front(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ float all[T];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cuda::device::barrier_expect_tx(bar, T * 4);
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, T * 4, bar);
    }
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: shared memory is used between the issue and the arrival of all threads, whose wait orders that, too [kpipe-foreign-async]
    all[threadIdx.x] = sum;
    barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    sum += xs[threadIdx.x] + all[T - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A class that is more than an mbarrier.
struct Counted {
  uint64_t full;
  uint64_t turns;
  __device__ uint64_t *at() { return &full; }
  __device__ void wait() {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, turns & 1))
      ;
  }
};
__global__ void __launch_bounds__(T) in_a_class(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ Counted bar;
  if (threadIdx.x == 0)
    cuda::ptx::mbarrier_init(&bar.full, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      bar.turns = i;
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: its asynchronous copies are not read as plain ones, because 'mbarrier_arrive_expect_tx' is not understood there [kpipe-foreign-async]
      cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                           cuda::ptx::space_shared, &bar.full, T * 4);
      cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, xs, x + i * T,
                               T * 4, &bar.full);
    }
    __syncthreads();
    bar.wait();
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Parities that are not 0, 1, 0, 1: flipped in front of the wait, and by another name.
template <bool Aliased> __global__ void __launch_bounds__(T) parities(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    cuda::ptx::mbarrier_init(&full, 1);
  __syncthreads();
  float sum = 0;
  uint32_t phase = Aliased ? 0 : 1;
  uint32_t &same = phase;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, xs, x + i * T,
                               T * 4, &full);
      cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                           cuda::ptx::space_shared, &full, T * 4);
    }
    if constexpr (!Aliased)
      phase ^= 1;
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: one-stage TMA loop: the parity that it waits for is not seen to be 0, 1, 0, 1, ... from the first tile on [kpipe-foreign-async]
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, phase))
      ;
    sum += xs[threadIdx.x];
    if constexpr (Aliased)
      same ^= 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void parities<false>(const float *, float *, int);
template __global__ void parities<true>(const float *, float *, int);
