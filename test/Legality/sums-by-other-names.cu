// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of wgmma that the loop reaches by another name than their own: of the
// loop's, and of a group that is in flight when it begins. The wait stays where it
// is; the check of the result alone refuses a loop whose wait moved.
//
// RUN: %kpipe rewrite --arch=sm_90a --registers=estimate --allow-occupancy-drop %s -o - 2>/dev/null \
// RUN:   | grep -v '//' | FileCheck %s --implicit-check-not=matrix_wait
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_90a --registers=estimate --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE --implicit-check-not=remark:

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ inline void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ inline void wait_all() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ inline void mma(float (&d)[4], const float4 *p) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, "
               "1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(uint64_t(smem(p))), "l"(uint64_t(smem(p))));
}
__device__ inline void mma_by_pointer(float *d, const float4 *p) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, "
               "1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(uint64_t(smem(p))), "l"(uint64_t(smem(p))));
}
__device__ inline void clear(float *d) {
  for (int i = 0; i < 4; ++i)
    d[i] = 0;
}
__device__ inline float total(const float (&d)[4]) { return d[0] + d[1] + d[2] + d[3]; }
__device__ inline float *third(float *d) { return d + 3; }

struct Pointer {
  float *p;
  __device__ void halve() { p[3] *= 0.5f; }
};
struct Made {
  float *p;
  __device__ Made(float *q) : p(q + 3) {}
};
struct Reference {
  float (&r)[4];
};

constexpr int T = 256;

// CHECK-LABEL: void by_value(
// CHECK: matrix_wait<1>
// CHECK: matrix_wait<0>
// What else may be done with sums: functions that read or write values.
__global__ void by_value(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  clear(d);
  d[1] = 1;
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = total(d);
}

// CHECK-LABEL: void named_behind(
// CHECK: matrix_wait<1>
// CHECK: matrix_wait<0>
// A name that is made behind the loop.
__global__ void named_behind(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma_by_pointer(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  float *p;
  p = d;
  y[threadIdx.x] = p[3];
}

// CHECK-LABEL: void assigned(
// The others.
__global__ void assigned(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  float *p;
  p = d;
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    p[3] *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void assigned_maybe(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  float z[4];
  float *p = z;
  if (n > 3)
    p = d;
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    p[3] *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void member(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  Pointer v{d};
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    v.p[3] *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void member_function(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  Pointer v{d};
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    v.halve();
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void member_reference(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  Reference v{d};
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    v.r[3] *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void constructed(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  Made v(d);
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    *v.p *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void returned(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  float *p = third(d);
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    *p *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void element(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  float &r = d[3];
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    r *= 0.5f;
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void closure(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  auto halve = [&] { d[3] *= 0.5f; };
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    halve();
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

__global__ void read_only(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  float sum = 0;
  const float *p;
  p = d;
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'd' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    sum += p[3];
    mma(d, xs);
    commit();
    wait_all();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + sum;
}

// In flight from in front of the loop.
__global__ void beside_pointer(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  __shared__ float4 zs[T];
  zs[threadIdx.x] = x[threadIdx.x];
  fence();
  __syncthreads();
  float e[4] = {}, sum = 0;
  const float *p = e;
  mma(e, zs);
  commit();
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'e' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma(d, xs);
    commit();
    wait_all();
    sum += p[3];
    __syncthreads();
  }
  wait_all();
  y[threadIdx.x] = d[0] + e[0] + sum;
}

__global__ void beside_assigned(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  __shared__ float4 zs[T];
  zs[threadIdx.x] = x[threadIdx.x];
  fence();
  __syncthreads();
  float e[4] = {}, sum = 0;
  const float *p;
  p = e;
  mma(e, zs);
  commit();
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'e' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma(d, xs);
    commit();
    wait_all();
    sum += p[3];
    __syncthreads();
  }
  wait_all();
  y[threadIdx.x] = d[0] + e[0] + sum;
}

__global__ void beside_reference(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  __shared__ float4 zs[T];
  zs[threadIdx.x] = x[threadIdx.x];
  fence();
  __syncthreads();
  float e[4] = {}, sum = 0;
  float(&r)[4] = e;
  mma(e, zs);
  commit();
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'e' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma(d, xs);
    commit();
    wait_all();
    sum += r[3];
    __syncthreads();
  }
  wait_all();
  y[threadIdx.x] = d[0] + e[0] + sum;
}

__global__ void beside_closure(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float d[4] = {};
  __shared__ float4 zs[T];
  zs[threadIdx.x] = x[threadIdx.x];
  fence();
  __syncthreads();
  float e[4] = {}, sum = 0;
  auto last = [&] { return e[3]; };
  mma(e, zs);
  commit();
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the loop uses the sums 'e' beside wgmma [kpipe-memory-order]
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    fence();
    __syncthreads();
    mma(d, xs);
    commit();
    wait_all();
    sum += last();
    __syncthreads();
  }
  wait_all();
  y[threadIdx.x] = d[0] + e[0] + sum;
}
