// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule foreign-async, one-stage loops of the copy engine: each kernel is the
// first one with one thing that keeps its copies where they are.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_90a %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s --check-prefix=OLD

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ inline void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes)
               : "memory");
}
__device__ inline void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
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
__device__ inline void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

constexpr int T = 128;

// What can be done.
__global__ void legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  // OLD: [[#@LINE+1]]:3: warning: not pipelined: one-stage TMA loop: sm_80 has no bulk copies; ask for sm_90a [kpipe-budget]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void bytes_differ(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: 256 bytes are expected, and 512 are copied [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      expect(&bar, T * 2);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void other_count(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: 'bar' is initialised for another number of arrivals than 1 [kpipe-foreign-async]
    init(&bar, 2);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void used_elsewhere(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    // CHECK: [[#@LINE+1]]:13: warning: not pipelined: one-stage TMA loop: 'bar' is used elsewhere than to issue and await the tile [kpipe-foreign-async]
    arrive(&bar);
  y[threadIdx.x] = sum;
}

__global__ void two_barriers(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar, other;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    init(&other, 1);
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: 'load' is for another mbarrier than the one that is waited for [kpipe-foreign-async]
      load(xs, x + i * T, T * 4, &other);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void phase_used(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: the parity that it waits for is not seen to be 0, 1, 0, 1, ... from the first tile on [kpipe-foreign-async]
    wait(&bar, phase);
    if (x[i] > 0)
      phase ^= 1;
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void other_step(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i, T * 4, &bar);
    }
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: the parity that it waits for is not seen
    wait(&bar, (i / 64) & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void divergent_issue(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:9: warning: not pipelined: one-stage TMA loop: who issues the copies depends on 'i', which differs from tile to tile [kpipe-foreign-async]
    if (threadIdx.x == i % 32) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void stores_in_loop(float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: the loop stores where copies that are issued earlier may read, or to the tile itself [kpipe-foreign-async]
    y[i * T + threadIdx.x] = xs[threadIdx.x];
    __syncthreads();
  }
}

__global__ void tile_changed(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'xs' is written here, but not by the copies of a tile; only one stage would be changed [kpipe-memory-order]
    xs[threadIdx.x] += 1;
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void unclosed_apart(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: one-stage TMA loop: no barrier keeps the next tile from overwriting what slower threads still read, and none can be added
  for (int i = 0; i < n + int(threadIdx.x) / 64; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

__global__ void persistent(const float *x, float *y, int n, int m) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < m; ++j)
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: it is no 'for' loop directly in the kernel's body [kpipe-foreign-async]
    for (int i = 0; i < n; ++i) {
      if (threadIdx.x == 0) {
        expect(&bar, T * 4);
        load(xs, x + i * T, T * 4, &bar);
      }
      wait(&bar, i & 1);
      sum += xs[threadIdx.x];
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}

__global__ void fenced(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: '__threadfence' may order what the copies read, or leaves the loop [kpipe-foreign-async]
    __threadfence();
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void not_waited(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: its wgmma are not waited for with wait_group 0 before the tile is overwritten [kpipe-foreign-async]
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    commit();
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ inline void init_and_count(uint64_t *bar, float *y) {
  init(bar, 1);
  y[0] += 1;
}
__global__ void init_does_more(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: one-stage TMA loop: the statement that initialises 'bar' does more, which stages would repeat [kpipe-foreign-async]
    init_and_count(&bar, y);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The half that a tile leaves out is the tile before.
__global__ void halves(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + (i & 1) * T, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    if (i > 0)
      sum += xs[threadIdx.x] - xs[T + threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
