// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers with a tile's address in them that go through references to const:
// functions that look at their bits, and one that changes what it promised to
// leave. The legal ones are in Kernels/numbers_by_reference.cu.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=' stages of'
//
// The validators see each of them with the rule switched off.
// RUN: env KPIPE_RULES_OFF=number-views,address-bits %kpipe-unruled rewrite --dry-run --arch=sm_86 %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=' stages of'

constexpr int T = 32;

__device__ inline float at(unsigned a) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(a));
  return v;
}
__device__ inline unsigned number(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ inline unsigned bits(const unsigned &a) { return a >> 7 & 1; }
__device__ inline unsigned changes(const unsigned &a, unsigned b) {
  const_cast<unsigned &>(a) = b;
  return a & 128;
}

__global__ void __launch_bounds__(T)
looks(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const unsigned a = number(xs);
    sum += xs[threadIdx.x].x + bits(a);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
written(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    unsigned a = 0;
    sum += xs[threadIdx.x].x + changes(a, number(xs));
    // CHECK: note: single buffer, because with 2 stages, line [[#@LINE+2]] would be wrong: single bits of the address of xs
    // ALONE: [[#@LINE+1]]:12: warning: not pipelined: single bits of the address of xs
    sum += a & 64;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
