// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many stages plain tiles of wgmma get, and whether a group stays in flight:
// the kind of their elements is no question there. Compiled for its opcodes.
//
// RUN: %kpipe analyze --arch=sm_90a --registers=estimate --allow-occupancy-drop %s | FileCheck %s
// RUN: %kpipe analyze --arch=sm_90a --registers=estimate --allow-occupancy-drop --stages=3 %s \
// RUN:   | FileCheck %s --check-prefix=THREE
// RUN: %kpipe rewrite --arch=sm_90a --registers=estimate --allow-occupancy-drop --stages=3 %s -o %t.cu
// RUN: FileCheck %s --check-prefix=DRAINED --implicit-check-not='{{matrix_wait<1[>]}}' < %t.cu

#include <cstdint>

__device__ inline uint64_t descriptor(const void *p) {
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(p));
  return uint64_t((at & 0x3ffff) >> 4) | uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62;
}
__device__ inline void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void end() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ inline void drain() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

// CHECK-LABEL: tf32: pipelined
// CHECK: 4 stages, as the wgmma of one tile stay in flight while the next tile's are issued
// CHECK: xs {{.*}}16  cp.async
// THREE-LABEL: tf32: pipelined
// THREE: 3 stages; the wgmma of a tile are waited for before the next, as fewer than 4 stages
// DRAINED: compute_tile(stage);
// DRAINED-NEXT: kpipe::matrix_wait<0>();
__global__ void tf32(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + d[3];
}

// CHECK-LABEL: int8: pipelined
// CHECK: 4 stages, as the wgmma of one tile stay in flight while the next tile's are issued
// CHECK: xs {{.*}}16  cp.async
__global__ void int8(const float4 *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  int d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "
                 "{%0, %1, %2, %3}, %4, %5, 1;"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + d[3];
}

// CHECK-LABEL: fp8: pipelined
// CHECK: 4 stages, as the wgmma of one tile stay in flight while the next tile's are issued
// CHECK: xs {{.*}}16  cp.async
__global__ void fp8(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + d[3];
}

// CHECK-LABEL: half_sums: pipelined
// CHECK: 4 stages, as the wgmma of one tile stay in flight while the next tile's are issued
// CHECK: xs {{.*}}16  cp.async
__global__ void half_sums(const float4 *__restrict__ x, unsigned *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  unsigned d[2] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
                 "{%0, %1}, %2, %3, 1, 1, 1, 0, 0;"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + d[1];
}

// Sums that the loop reads, and an operand in registers.
// CHECK-LABEL: reads_sums: pipelined
// CHECK: 3 stages; the wgmma of a tile are waited for before the next, as the loop uses the sums 'd'
// CHECK-NEXT: beside wgmma
__global__ void reads_sums(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    d[1] *= 0.5f;
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + d[1];
}

// wgmma before the loop belongs to the first tile's group.
// CHECK-LABEL: others_sums: pipelined
// CHECK: 3 stages; the wgmma of a tile are waited for before the next, as the loop uses the sums 'e'
// CHECK-NEXT: beside wgmma
__global__ void others_sums(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[128], first[128];
  float d[4] = {}, e[4] = {}, m = 0;
  first[threadIdx.x] = x[threadIdx.x];
  fence_async();
  __syncthreads();
  begin();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
               : "l"(descriptor(first)), "l"(descriptor(first)));
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    if (i)
      m += e[0];
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain();
    __syncthreads();
  }
  y[threadIdx.x] = d[0] + m;
}

// The wait does more than that.
// CHECK-LABEL: counts_waits: pipelined
// CHECK: 3 stages; the wgmma of a tile are waited for before the next, as
__device__ inline void drain_and_count(float *y, int i) {
  drain();
  y[i] = i;
}
__global__ void counts_waits(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[128];
  float d[4] = {};
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    fence_async();
    __syncthreads();
    begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(xs)), "l"(descriptor(xs)));
    end();
    drain_and_count(y, 128 + i);
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

void launch(const float4 *x, float *y, int *z, unsigned *h, int n) {
  tf32<<<1, 128>>>(x, y, n);
  int8<<<1, 128>>>(x, z, n);
  fp8<<<1, 128>>>(x, y, n);
  half_sums<<<1, 128>>>(x, h, n);
  reads_sums<<<1, 128>>>(x, y, n);
  others_sums<<<1, 128>>>(x, y, n);
  counts_waits<<<1, 128>>>(x, y, n);
}
