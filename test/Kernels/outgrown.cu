// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that outgrow static shared memory as soon as there are two of them:
// they become dynamic, and so do the launches in this file.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err
// SAID-COUNT-3: remark: pipelined K-loop: 2 stages
// RUN: %kpipe analyze a.cu --arch=sm_86 --kernel=product 2>&1 | tr -s ' \n' ' ' | FileCheck %s --check-prefix=WHY
// WHY: in dynamic shared memory, because two stages need more than 49152 bytes; the launches opt in to it
// WHY: 32768 -> 65536 1 -> 1
//
// RUN: %kpipe rewrite a.cu --arch=sm_86 --dynamic-shared=never --kernel=product -n 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: note: single buffer, because two stages need 65536 bytes of static shared memory, and a block may declare 49152 (dynamic shared memory may be larger, but --dynamic-shared=never forbids it)
//
// As many stages as an SM has room for.
// RUN: %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async --stages=8 --kernel=product -n 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: note: 3 stages, not 8: 4 stages need 131072 bytes of shared memory, and a block may have 101376 on sm_86

constexpr int T = 32, BM = 32;

// CHECK: {{^}}// Bytes of dynamic shared memory of product().
// CHECK-NEXT: {{^}}template <int BK>
// CHECK-NEXT: {{^}}constexpr unsigned product_{{shared}}_bytes =
// CHECK-NEXT: {{^}}    sizeof(float[2][BM][BK]) + sizeof(float[2][BK][T]);

// A part of a product: each thread takes every 16th element of a tile.
template <int BK>
__global__ void __launch_bounds__(T *T)
product(const float *__restrict__ A, const float *__restrict__ B,
        float *__restrict__ C, int N, int K) {
  // CHECK: {{^}}  extern __shared__ __align__(16) unsigned char product_{{shared}}[];
  // CHECK-NEXT: {{^}}  auto &As_{{stages}} = *reinterpret_cast<float (*)[2][BM][BK]>(product_{{shared}});
  // CHECK-NEXT: {{^}}  auto &Bs_{{stages}} = *reinterpret_cast<float (*)[2][BK][T]>(product_{{shared}} + sizeof(As_{{stages}}));
  __shared__ float As[BM][BK], Bs[BK][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < BK; i += T) {
      As[ty][tx + i] = A[ty * K + k0 + tx + i];
      Bs[ty + i][tx] = B[(k0 + ty + i) * N + blockIdx.x * T + tx];
    }
    __syncthreads();
    for (int k = tx % 16; k < BK; k += 16)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[ty * N + blockIdx.x * T + tx] = acc;
}

// Declared apart, aligned, read after the loop, and with scratch that stays.
// CHECK: {{^}}constexpr unsigned sums_{{shared}}_bytes =
// CHECK-NEXT: {{^}}    sizeof(float4[2][2048]);
__global__ void __launch_bounds__(T *T)
sums(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  // CHECK: {{^}}  __shared__ float total[T * T];
  // CHECK-NEXT: {{^}}  extern __shared__ __align__(16) unsigned char sums_{{shared}}[];
  // CHECK-NEXT: {{^}}  auto &xs_{{stages}} = *reinterpret_cast<float4 (*)[2][2048]>(sums_{{shared}});
  __shared__ float total[T * T];
  __shared__ __align__(16) float4 xs[2048];
  int id = threadIdx.y * T + threadIdx.x;
  total[id] = 0.0f;
  for (int i = 0; i < n; i += 2048) {
    xs[id] = x[i + id];
    xs[id + T * T] = x[i + id + T * T];
    __syncthreads();
    for (int j = id; j < 2048 + id; j += 256)
      total[id] += xs[j % 2048].y;
    __syncthreads();
  }
  y[id] = total[id] + (n > 0 ? xs[(id + 1) % 2048].x : 0.0f);
}

// Rows that are longer by a constant of the kernel's own.
// CHECK: {{^}}constexpr unsigned longer_{{shared}}_bytes =
// CHECK-NEXT: {{^}}    sizeof(float4[2][256][(T / 4 + 1) - 1]);
__global__ void __launch_bounds__(T *T)
longer(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  const int Pad = 1;
  // CHECK: {{^}}  auto &xs_{{stages}} = *reinterpret_cast<float4 (*)[2][256][(T / 4 + Pad) - 1]>(longer_{{shared}});
  __shared__ __align__(16) float4 xs[256][(T / 4 + Pad) - 1];
  int id = threadIdx.y * T + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2048) {
    xs[id / 8][id % 8] = x[i + id];
    xs[id / 8 + 128][id % 8] = x[i + id + T * T];
    __syncthreads();
    for (int j = id; j < 2048 + id; j += 256)
      sum += xs[j / 8 % 256][j % 8].y;
    __syncthreads();
  }
  y[id] = sum;
}

#ifndef KPIPE_HARNESS // which has launches of its own
void launch(const float *A, const float *B, float *C, cudaStream_t stream) {
  // CHECK: {{^}}  product<128><<<2, dim3(T, T), kpipe::opt_in_shared(product<128>, product_{{shared}}_bytes<128>), stream>>>
  product<128><<<2, dim3(T, T), 0, stream>>>(A, B, C, 2 * T, 128);
  // CHECK: {{^}}  ::sums<<<1, dim3(T, T), kpipe::opt_in_shared(::sums, ::sums_{{shared}}_bytes)>>>
  ::sums<<<1, dim3(T, T)>>>(nullptr, C, 2048);
  longer<<<1, dim3(T, T)>>>(nullptr, C, 2048);
}
#else
#include "harness.h"
// Room for three stages; the input leaves it alone.
constexpr std::size_t Room = 98304;
CASE(product) {
  for (int k : multiples(128)) {
    auto a = in<float>("A", BM * k), b = in<float>("B", k * 2 * T);
    auto c = out<float>("C", BM * 2 * T);
    launch({2, dim3(T, T), Room}, product<128>, a, b, c, 2 * T, k);
  }
}
CASE(sums) {
  for (int n : multiples(2048)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T * T);
    launch({1, dim3(T, T), Room}, sums, x.as<float4>(), y, n);
  }
}
CASE(longer) {
  for (int n : multiples(2048)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T * T);
    launch({1, dim3(T, T), Room}, longer, x.as<float4>(), y, n);
  }
}
#endif
