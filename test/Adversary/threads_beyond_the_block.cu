// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --schedule=specialized: what stands in front of the loop was written for the
// threads of the author's blocks. A producer's threads have other indices: what
// divides, counts, looks up or assumes by the index may go wrong for them.
// verdicts: sm_90a
// REQUIRES: executor
// RUN: %kpipe rewrite --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s -o %t.cu 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: FileCheck --check-prefix=CODE %s --input-file=%t.cu
// RUN: %execute --arch=sm_90a --stages=3 %s %t.cu --flag=-I%S/../Kernels

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ inline void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes)
               : "memory");
}
__device__ inline void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(
                   smem(bar)),
               "r"(parity)
               : "memory");
}
__device__ inline void load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(smem(dst)),
               "l"(src), "r"(bytes), "r"(smem(bar))
               : "memory");
}

constexpr int T = 128;

// A loop that ends at the last thread, in a function.
__device__ int steps(int t) {
  int n = 0;
  for (; t != T; ++t)
    n += t & 3;
  return n;
}
__global__ void counts_up(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = steps(threadIdx.x);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_counts_up(const float *x, float *y, int n) { counts_up<<<1, T>>>(x, y, n); }

// The same, of the thread itself, in a constructor.
struct Steps {
  int n = 0;
  __device__ Steps() {
    for (int t = threadIdx.x; t != T; ++t)
      n += t & 3;
  }
};
__global__ void counts_in_object(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const Steps w;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w.n;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_counts_in_object(const float *x, float *y, int n) { counts_in_object<<<1, T>>>(x, y, n); }

// As an assignment it is left to the author's threads.
__global__ void counts_legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  int w = 0;
  w = steps(threadIdx.x);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_counts_legal(const float *x, float *y, int n) { counts_legal<<<1, T>>>(x, y, n); }

// Loops that end for all threads alike.
__device__ int mixed(int v) {
  for (int o = 16; o; o /= 2)
    v ^= v * o;
  return v;
}
__global__ void even_legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = mixed(threadIdx.x);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_even_legal(const float *x, float *y, int n) { even_legal<<<1, T>>>(x, y, n); }

// A divisor that is 0 for the first thread more.
__global__ void divides(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = 1000 / (T - int(threadIdx.x));
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_divides(const float *x, float *y, int n) { divides<<<1, T>>>(x, y, n); }

// The same in a function.
__device__ int part(int t) { return 1000 % (T - t); }
__global__ void divides_below(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = part(threadIdx.x);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_divides_below(const float *x, float *y, int n) { divides_below<<<1, T>>>(x, y, n); }

// As an assignment.
__global__ void divides_legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  int w = 0;
  w += 1000 / (T - int(threadIdx.x));
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_divides_legal(const float *x, float *y, int n) { divides_legal<<<1, T>>>(x, y, n); }

// Divisors that all threads have.
__global__ void shares_legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = threadIdx.x / (n + 1) + threadIdx.x % 7;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_shares_legal(const float *x, float *y, int n) { shares_legal<<<1, T>>>(x, y, n); }

// A divisor that the author's threads alone set.
__global__ void divides_by_unset(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  int d = 0;
  if (n >= 0) {
    d = 3;
    y[threadIdx.x] = 1;
  }
  const int w = 100 / d;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_divides_by_unset(const float *x, float *y, int n) { divides_by_unset<<<1, T>>>(x, y, n); }

// A table, by the thread, in a function.
__constant__ float table[T];
__device__ float entry(int i) { return table[i]; }
__global__ void looks_up(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const float w = entry(threadIdx.x);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_looks_up(const float *x, float *y, int n) { looks_up<<<1, T>>>(x, y, n); }

// The same of what the kernel is given.
__device__ float own(const float *p) { return p[threadIdx.x]; }
__global__ void looks_up_given(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const float w = own(x);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_looks_up_given(const float *x, float *y, int n) { looks_up_given<<<1, T>>>(x, y, n); }

// What is assumed of the index.
__global__ void assumes(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  __builtin_assume(threadIdx.x < T);
  const int w = 1;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CODE-LABEL: {{^.*}} assumes(
// CODE: {{^ +}}if (threadIdx.x < 128) {
// CODE-NEXT: {{^ +}}__builtin_assume(threadIdx.x < T);
void run_assumes(const float *x, float *y, int n) { assumes<<<1, T>>>(x, y, n); }

// The same in a function.
__device__ int lane() {
  __builtin_assume(threadIdx.x < T);
  return threadIdx.x % 32;
}
__global__ void assumes_below(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = lane();
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_assumes_below(const float *x, float *y, int n) { assumes_below<<<1, T>>>(x, y, n); }

// Where none of the author's threads is.
__device__ int warp() {
  if (threadIdx.x >= T)
    __builtin_unreachable();
  return threadIdx.x / 32;
}
__global__ void never_there(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  const int w = warp();
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'w' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_never_there(const float *x, float *y, int n) { never_there<<<1, T>>>(x, y, n); }

// What is assumed of the block.
__global__ void assumes_legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fence_init();
  }
  __syncthreads();
  float sum = 0;
  __builtin_assume(blockDim.x == T);
  const int w = 1;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      fence();
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[T - 1 - threadIdx.x];
    sum += w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_assumes_legal(const float *x, float *y, int n) { assumes_legal<<<1, T>>>(x, y, n); }

#ifdef KPIPE_HARNESS
#include "harness.h"
template <typename Run> static void pieces(Run run) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 2) * T), y = out<float>("y", T);
    run(x, y, t);
  }
}
CASE(counts_up_case) { pieces(run_counts_up); }
CASE(counts_in_object_case) { pieces(run_counts_in_object); }
CASE(counts_legal_case) { pieces(run_counts_legal); }
CASE(even_legal_case) { pieces(run_even_legal); }
CASE(divides_case) { pieces(run_divides); }
CASE(divides_below_case) { pieces(run_divides_below); }
CASE(divides_legal_case) { pieces(run_divides_legal); }
CASE(shares_legal_case) { pieces(run_shares_legal); }
CASE(divides_by_unset_case) { pieces(run_divides_by_unset); }
CASE(looks_up_case) { pieces(run_looks_up); }
CASE(looks_up_given_case) { pieces(run_looks_up_given); }
CASE(assumes_case) { pieces(run_assumes); }
CASE(assumes_below_case) { pieces(run_assumes_below); }
CASE(never_there_case) { pieces(run_never_there); }
CASE(assumes_legal_case) { pieces(run_assumes_legal); }
#endif
