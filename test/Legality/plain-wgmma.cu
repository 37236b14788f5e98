// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain tiles that wgmma reads: each kernel is the first one with one thing that
// leaves its reads without an end, or without a place in the pipeline.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --registers=estimate --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s --check-prefix=OLD

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ inline void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ inline void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
#define SUMS(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define WGMMA(d, p) WGMMA_AT(d, uint64_t(smem(p)))
#define WGMMA_AT(d, at)                                                                          \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, " \
               "1, 1, 0, 0;"                                                                     \
               : SUMS(d)                                                                         \
               : "l"(at), "l"(at))
__device__ inline void wait_if(int n) {
  if (n == 3)
    return;
  wait<0>();
}

__device__ inline int issue(float (&d)[4], const float4 *p) {
  WGMMA(d, p);
  commit();
  return 0;
}
struct Issues {
  int x;
  __device__ Issues(float (&d)[4], const float4 *p) : x(issue(d, p)) {}
};
__device__ inline void issues_in_closure(float (&d)[4], const float4 *p) {
  issue(d, p);
  wait<0>();
  auto f = [x = issue(d, p)] { return x; };
  f();
}
__device__ inline void issues_in_initialiser(float (&d)[4], const float4 *p) {
  issue(d, p);
  wait<0>();
  Issues more(d, p);
}

constexpr int T = 256;

// What can be done.
__global__ void legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: 4 stages of xs, cp.async [kpipe-pipelined]
  // OLD: [[#@LINE+1]]:3: warning: not pipelined: sm_80 has no wgmma; ask for sm_90a [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void unfenced(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: 4 stages of xs, cp.async [kpipe-pipelined]
  // CHECK: [[#@LINE+1]]:3: note: the input lacks 'fence.proxy.async' between its stores to the tile and wgmma, which may read what was there before; the output has one
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    __syncthreads();
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// Stages of swizzled tiles begin at multiples of 1024 bytes.
__global__ void odd_size(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T + 32];
  float d[4] = {};
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because a stage of 'xs' is 4608 bytes, not a multiple of the 1024 bytes that its accesses are aligned to
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// A descriptor that is made of a number names no stage.
__global__ void unnamed(const float4 *__restrict__ x, float *__restrict__ y, int n, uint64_t at) {
  __shared__ float4 xs[T];
  float d[4] = {};
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because the compute region reads memory that cannot be traced and may be 'xs'
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA_AT(d, at);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void no_wait(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for with wait_group 0 before their tile is overwritten [kpipe-foreign-async]
    WGMMA(d, xs);
    commit();
    __syncthreads();
  }
  wait<0>();
  y[threadIdx.x] = d[0];
}

__global__ void waits_for_another(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    WGMMA(d, xs);
    commit();
    wait<1>();
    __syncthreads();
  }
  wait<0>();
  y[threadIdx.x] = d[0];
}

// What is not committed is not waited for.
__global__ void commits_late(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    WGMMA(d, xs);
    wait<0>();
    commit();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void commits_some(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    WGMMA(d, xs);
    if (n > 3)
      commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void waits_sometimes(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    WGMMA(d, xs);
    commit();
    if (i + 1 < n)
      wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void returns_before_the_wait(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    WGMMA(d, xs);
    commit();
    wait_if(i);
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// What is in flight may be issued anywhere.
__global__ void closure(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    issues_in_closure(d, xs);
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}
__global__ void initialiser(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    issues_in_initialiser(d, xs);
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// Slower threads' wgmma may still read when the tile is stored.
__global__ void waits_behind_the_barrier(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}[kpipe-missing-barrier]
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA(d, xs);
    commit();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: note:
    wait<0>();
  }
  y[threadIdx.x] = d[0];
}

__global__ void stores_in_flight(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA(d, xs);
    commit();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop's wgmma are not waited for
    xs[threadIdx.x].x = 0;
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void for_some_threads(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    WGMMA(d, xs);
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'wgmma.commit_group.sync.aligned' is not understood there [kpipe-foreign-async]
    asm volatile("{.reg .pred p; setp.ne.s32 p, %0, 0; @p wgmma.commit_group.sync.aligned;}" ::"r"(n));
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// Tensor cores of sm_100a end by mbarriers: not as plain loops.
__global__ void tcgen05(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'fence.proxy.async' orders memory in the loop [kpipe-sync-order]
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: inline assembly that kpipe does not understand may order memory: 'tcgen05.mma.cta_group::1.kind::f16' [kpipe-sync-order]
    asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, 1;" ::"r"(n),
                 "l"(uint64_t(smem(xs))), "l"(uint64_t(smem(xs))), "r"(n));
    sum += xs[threadIdx.x ^ 1].x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void other_fences(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'fence.proxy.alias' orders memory in the loop [kpipe-sync-order]
    asm volatile("fence.proxy.alias;" ::: "memory");
    __syncthreads();
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void in_the_load(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the load region has inline assembly that kpipe does not understand: 'wgmma.fence.sync.aligned' [kpipe-load-effects]
    asm volatile("wgmma.fence.sync.aligned;");
    __syncthreads();
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// The condition reads a sum that is in flight.
__global__ void until_sums_are_large(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  for (int i = 0; i < n && d[0] < 1e30f; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the body changes 'd', which the loop condition reads [kpipe-control-flow]
    WGMMA(d, xs);
    commit();
    wait<0>();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

void launch(const float4 *x, float *y, int n) {
  legal<<<1, T>>>(x, y, n);
  unfenced<<<1, T>>>(x, y, n);
  odd_size<<<1, T>>>(x, y, n);
  unnamed<<<1, T>>>(x, y, n, 0);
}
