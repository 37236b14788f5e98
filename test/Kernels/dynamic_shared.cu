// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// extern __shared__, whole and carved: its stages lie as far apart as the launch
// says, and the launches of this file ask for all of them.
// REQUIRES: executor
// RUN: %variants --at-least=7 --option=--allow-occupancy-drop %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async --allow-occupancy-drop 2>err | %code | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err
// SAID: remark: pipelined K-loop: 2 stages of smem, cp.async
// RUN: %kpipe rewrite a.cu --arch=sm_86 2>/dev/null | %code | FileCheck %s --check-prefix=AUTO
//
// RUN: %kpipe analyze a.cu --arch=sm_86 --allow-occupancy-drop --kernel=large 2>&1 | tr -s ' \n' ' ' | FileCheck %s --check-prefix=LARGE
// LARGE: the launches ask for the dynamic shared memory of two stages, and opt in to it
// LARGE: 32768 -> 65536
//
// RUN: %kpipe rewrite a.cu --arch=sm_86 --dynamic-shared=never --kernel=one -n 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and --dynamic-shared=never forbids it
//
// As many stages as a block may have.
// RUN: %kpipe rewrite a.cu --arch=sm_86 --stages=8 --allow-occupancy-drop --kernel=large -n 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: note: 3 stages, not 8: 4 stages need 131072 bytes of shared memory, and a block may have 101376 on sm_86

#include <cuda_fp16.h>

constexpr int T = 16;

// The whole of it is one tile.
__global__ void __launch_bounds__(64)
one(const float *x, float *y, int n) {
  extern __shared__ float smem[];
  float sum = 0.0f;
  // CHECK: {{^}}    const int stage_{{bytes}} = kpipe::bytes_per_stage<2>();
  // CHECK-NEXT: {{^}}    auto *smem_{{stages}} = smem;
  // CHECK-NEXT: {{^}}    auto load_{{tile}} = [&](int i, int s{{tage}}) {
  // CHECK-NEXT: {{^}}      auto *smem = kpipe::advance_bytes(smem_{{stages}}, s{{tage}} * stage_{{bytes}});
  // CHECK-NEXT: {{^}}      kpipe::copy_async(&smem[threadIdx.x], &x[i + threadIdx.x]);
  for (int i = 0; i < n; i += 64) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += smem[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two arrays, one after the other, in a template.
template <int T>
__global__ void __launch_bounds__(T *T)
carved(const float *A, const float *B, float *C, int N, int K) {
  extern __shared__ float smem[];
  float *As = smem;
  float *Bs = &smem[T * T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  // CHECK: {{^}}      auto *As = kpipe::advance_bytes(As_{{stages}}, s{{tage}} * stage_{{bytes}});
  // CHECK-NEXT: {{^}}      auto *Bs = kpipe::advance_bytes(Bs_{{stages}}, s{{tage}} * stage_{{bytes}});
  // CHECK-NEXT: {{^}}      kpipe::copy_async(&As[ty * T + tx], &A[ty * K + k0 + tx]);
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty * T + tx] = A[ty * K + k0 + tx];
    Bs[ty * T + tx] = B[(k0 + ty) * N + blockIdx.x * T + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty * T + k] * Bs[k * T + tx];
    __syncthreads();
  }
  C[ty * N + blockIdx.x * T + tx] = sum;
}

// Carved out of bytes, of two types, each the next one's neighbour; 136 bytes a
// tile are no multiple of 128.
__global__ void __launch_bounds__(32)
bytes(const __half *__restrict__ h, const float *__restrict__ f, float *y,
      int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  __half *hs = reinterpret_cast<__half *>(raw);
  auto fs = (float *)(raw + 34 * sizeof(__half));
  float sum = 0.0f;
  for (int i = 0; i < n; i += 32) {
    hs[threadIdx.x] = h[i + threadIdx.x];
    if (threadIdx.x < 17)
      fs[threadIdx.x] = f[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += __half2float(hs[j]) * fs[(j + threadIdx.x) % 17];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One name for two kernels, and vectors of four; the last tile is read again.
extern __shared__ float4 quads[];

__global__ void __launch_bounds__(64)
quads_of(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    quads[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += quads[j].x - quads[63 - j].w;
    __syncthreads();
  }
  // CHECK: {{^}}  y[threadIdx.x] = sum + (n > 0 ? kpipe::advance_bytes(quads, s{{tage}} * stage_{{bytes}})[63 - threadIdx.x].y : 0.0f);
  y[threadIdx.x] = sum + (n > 0 ? quads[63 - threadIdx.x].y : 0.0f);
}

// Entered again and again, transposed on the way: through registers.
__global__ void __launch_bounds__(T *T)
again(const float *__restrict__ x, float *__restrict__ y, int rows, int n) {
  float *tile = reinterpret_cast<float *>(quads);
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
      float v = x[(r * T + ty) * n + i + tx];
      tile[tx * (T + 1) + ty] = 2.0f * v;
      __syncthreads();
      for (int k = 0; k < T; ++k)
        sum += tile[k * (T + 1) + tx] * float(ty + k);
      __syncthreads();
    }
    y[(r * T + ty) * T + tx] = sum;
  }
}

// More than 48 KB as soon as there are two; the host has opted in already.
__global__ void __launch_bounds__(256)
large(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float4 tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2048) {
    for (int j = 0; j < 2048; j += 256)
      tile[j + threadIdx.x] = x[i + j + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.x; j < 2048 + threadIdx.x; j += 128)
      sum += tile[j % 2048].z;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The tile's size and type are the template's, and so is the host's launch.
template <int BK, typename E>
__global__ void __launch_bounds__(64)
typed(const E *__restrict__ x, E *__restrict__ y, int n) {
  extern __shared__ __align__(8) unsigned char raw[];
  E *as = reinterpret_cast<E *>(raw);
  E *bs = as + BK;
  E s = 0;
  for (int i = 0; i < n; i += BK) {
    for (int j = 0; j < BK; j += 64) {
      as[j + threadIdx.x] = x[i + j + threadIdx.x];
      bs[j + threadIdx.x] = x[n + i + j + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < BK; ++j)
      s += as[j] * bs[(j + threadIdx.x) % BK];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
#define BYTES(BK, E) (2 * (BK) * sizeof(E))
template <int BK, typename E> void run_typed(const E *x, E *y, int n) {
  int count = BYTES(BK, E);
  // CHECK: cudaFuncAttributeMaxDynamicSharedMemorySize, kpipe::staged_bytes<2>(count));
  cudaFuncSetAttribute(typed<BK, E>, cudaFuncAttributeMaxDynamicSharedMemorySize, count);
  // CHECK: {{^}}  typed<BK, E><<<1, 64, kpipe::opt_in_shared(typed<BK, E>, kpipe::staged_bytes<2>(count))>>>(x, y, n);
  typed<BK, E><<<1, 64, count>>>(x, y, n);
}
void instances(const float *x, float *y, const double *u, double *v) {
  run_typed<64, float>(x, y, 64);
  run_typed<128, double>(u, v, 128);
  // CHECK: {{^}}  typed<128, float><<<1, 64, kpipe::opt_in_shared(typed<128, float>, kpipe::staged_bytes<2>(BYTES(128, float)))>>>(x, y, 128);
  typed<128, float><<<1, 64, BYTES(128, float)>>>(x, y, 128);
}

void run_one(const float *x, float *y, int n) {
  // CHECK: {{^}}  one<<<1, 64, kpipe::staged_bytes<2>(64 * sizeof(float))>>>(x, y, n);
  one<<<1, 64, 64 * sizeof(float)>>>(x, y, n);
}
void run_carved(const float *A, const float *B, float *C, int K,
                cudaStream_t stream = 0) {
  const int count = 2 * T * T * sizeof(float);
  // CHECK: {{^}}  carved<T><<<dim3(2), dim3(T, T), kpipe::staged_bytes<2>(count), stream>>>
  carved<T><<<dim3(2), dim3(T, T), count, stream>>>(A, B, C, 2 * T, K);
}
void run_bytes(const __half *h, const float *f, float *y, int n) {
  // AUTO: {{^}}  bytes<<<1, 32, kpipe::staged_bytes<2>(136)>>>(h, f, y, n);
  bytes<<<1, 32, 136>>>(h, f, y, n);
}
void run_quads(const float4 *x, float *y, int n) {
  quads_of<<<1, 64, sizeof(float4[64])>>>(x, y, n);
}
void run_again(const float *x, float *y, int rows, int n) {
  again<<<1, dim3(T, T), T * (T + 1) * 4>>>(x, y, rows, n);
}
void run_large(const float4 *x, float *y, int n) {
  size_t count = 2048 * sizeof(float4);
  // CHECK: {{^}}  cudaFuncSetAttribute(large,
  // CHECK-NEXT: kpipe::staged_bytes<2>(count));
  cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       count);
  // CHECK: {{^}}  large<<<1, 256, kpipe::opt_in_shared(large, kpipe::staged_bytes<2>(count))>>>(x, y, n);
  large<<<1, 256, count>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(one) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_one(x, y, n);
  }
}
CASE(carved) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * 2 * T);
    auto c = out<float>("C", T * 2 * T);
    run_carved(a, b, c, k);
  }
}
CASE(bytes) {
  for (int n : multiples(32)) {
    auto h = in<__half>("h", n, [](std::size_t i) {
      return __float2half(harness::value<float>(i, 7));
    });
    auto f = in<float>("f", n + 32), y = out<float>("y", 32);
    run_bytes(h, f, y, n);
  }
}
CASE(quads_of) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 64);
    run_quads(x.as<float4>(), y, n);
  }
}
CASE(again) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 3 * T * n), y = out<float>("y", 3 * T * T);
    run_again(x, y, 3, n);
  }
}
CASE(typed) {
  for (int n : multiples(128)) {
    auto x = in<double>("x", 2 * n), y = out<double>("y", 64);
    run_typed<128, double>(x, y, n);
    auto u = in<float>("u", 2 * n), v = out<float>("v", 64);
    run_typed<64, float>(u, v, n);
  }
}
CASE(large) {
  for (int n : multiples(2048)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 256);
    run_large(x.as<float4>(), y, n);
  }
}
#endif
