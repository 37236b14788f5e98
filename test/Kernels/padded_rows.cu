// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staged arrays whose rows --pad makes longer: matrices that wmma and ldmatrix
// read, columns that threads read, arrays in pointers and helpers, and the same
// in all the forms of a pipeline.
// REQUIRES: executor
// RUN: %variants --at-least=9 --option=--pad=always --option=--allow-occupancy-drop --stages=3,4 --schedules=auto,guarded %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t
// RUN: %kpipe rewrite a.cu --arch=sm_86 --pad=always --allow-occupancy-drop --stages=2 2>err | FileCheck %s
// RUN: not grep 'not padded' err

#include <cstdint>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// Four warps, each with one 16 x 16 tile of the 32 x 32 result; B is stored by
// columns, and both tiles have rows of 128 bytes.
constexpr int BM = 32, BN = 32, BK = 64;
// CHECK: {{^}}  __shared__ __align__(32) half As_{{stages}}[2][BM][BK + 8];
// CHECK: {{^}}  __shared__ __align__(32) half Bs_{{stages}}[2][BN][BK + 8];
// CHECK: {{^ +}}wmma::load_matrix_sync(a, &As{{.*}}[wm * 16][k], BK + 8);
// CHECK: {{^ +}}wmma::load_matrix_sync(b, Bs{{.*}}[wn * 16] + k, BK + 8);
__global__ void __launch_bounds__(128)
wmma_rows(const half *__restrict__ A, const half *__restrict__ B, float *C,
          int N, int K) {
  __shared__ __align__(32) half As[BM][BK];
  __shared__ __align__(32) half Bs[BN][BK];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2, wn = warp % 2;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 8; i += 128) {
      int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *reinterpret_cast<float4 *>(&As[r][c]) =
          *reinterpret_cast<const float4 *>(
              &A[(blockIdx.y * BM + r) * K + k0 + c]);
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(
              &B[(blockIdx.x * BN + r) * K + k0 + c]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
      wmma::load_matrix_sync(a, &As[wm * 16][k], BK);
      wmma::load_matrix_sync(b, Bs[wn * 16] + k, BK);
      wmma::mma_sync(acc, a, b, acc);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(
      &C[(blockIdx.y * BM + wm * 16) * N + blockIdx.x * BN + wn * 16], acc, N,
      wmma::mem_row_major);
}

// Each thread reads a row of its own: one bank for all of a warp.
// CHECK: {{^}}  __shared__ float As_{{stages}}[2][32][32 + 1];
__global__ void __launch_bounds__(256)
column_read(const float *__restrict__ A, const float *__restrict__ x, float *y,
            int K) {
  __shared__ float As[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = ty; r < 32; r += 8)
      As[r][tx] = A[(blockIdx.x * 32 + r) * K + k0 + tx];
    __syncthreads();
    for (int k = ty; k < 32; k += 8)
      sum += As[tx][k] * x[k0 + k];
    __syncthreads();
  }
  atomicAdd(&y[blockIdx.x * 32 + tx], sum);
}

// 16-byte copies allow rows to grow by 16 bytes at a time: of 32 ways four stay.
// CHECK: {{^}}  __shared__ __align__(16) float As_{{stages}}[2][TM][TK + 4];
template <int TM, int TK>
__global__ void wide_copies(const float *__restrict__ A,
                            const float *__restrict__ x, float *y, int K) {
  __shared__ float As[TM][TK];
  const int tid = threadIdx.x;
  const int r = tid / (TK / 4), c = tid % (TK / 4) * 4;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += TK) {
    reinterpret_cast<float4 &>(As[r][c]) =
        reinterpret_cast<const float4 &>(A[(blockIdx.x * TM + r) * K + k0 + c]);
    __syncthreads();
    if (tid < TM) {
#pragma unroll
      for (int k = 0; k < TK; ++k)
        sum += As[tid][k] * x[k0 + k];
    }
    __syncthreads();
  }
  if (tid < TM)
    y[blockIdx.x * TM + tid] = sum;
}
template __global__ void wide_copies<32, 32>(const float *, const float *,
                                             float *, int);

__device__ __forceinline__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_rows(uint32_t (&r)[4], const half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}
#define LOAD_TWO(r0, r1, address)                                              \
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"    \
               : "=r"(r0), "=r"(r1)                                            \
               : "r"(address))

// One warp, one 16 x 8 tile; rows of 64 bytes, read through a helper and
// through a variable that holds the address.
// CHECK: {{^}}  __shared__ __align__(16) half As_{{stages}}[2][16][EXTENT(32) + 8];
// CHECK: {{^}}  __shared__ __align__(16) half Bs_{{stages}}[2][8][KT + 8];
#define EXTENT(n) (n)
#define KT 32
__global__ void __launch_bounds__(32)
mma_rows(const half *__restrict__ A, const half *__restrict__ B, float *C,
         int K) {
  __shared__ __align__(16) half As[16][EXTENT(32)];
  __shared__ __align__(16) half Bs[8][KT];
  const int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < K; k0 += KT) {
    for (int i = lane; i < 16 * KT / 8; i += 32)
      *(uint4 *)&As[i / 4][i % 4 * 8] =
          *(const uint4 *)&A[(blockIdx.x * 16 + i / 4) * K + k0 + i % 4 * 8];
    *(uint4 *)&Bs[lane / 4][(lane & 3) << 3] =
        *(const uint4 *)&B[lane / 4 * K + k0 + ((lane & 3) << 3)];
    __syncthreads();
    for (int k = 0; k < KT; k += 16) {
      uint32_t a[4], b[2];
      load_rows(a, &As[lane % 16][k + lane / 16 * 8]);
      const uint32_t b_row =
          __cvta_generic_to_shared(&Bs[lane % 8][k + lane / 8 % 2 * 8]);
      LOAD_TWO(b[0], b[1], b_row);
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                   "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                     "r"(b[1]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(blockIdx.x * 16 + lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] =
        d[i];
}

// A transposing store that conflicts, and reads along rows that do not.
// CHECK: {{^}}  __shared__ float As_{{stages}}[2][16][16 + 2], Bs_{{stages}}[2][16][16];
__global__ void __launch_bounds__(256)
transposed_store(const float *__restrict__ A, const float *__restrict__ B,
                 float *C, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx][ty] = k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += As[k][ty] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The contents of the one buffer survive, and a macro writes the row's length.
// CHECK: {{^}}  __shared__ float As[32][(1 << 5) + 1];
__global__ void __launch_bounds__(32)
one_buffer(const float *__restrict__ A, float *y, int K) {
  __shared__ float As[32][1 << 5];
  const int t = threadIdx.x;
  for (int r = 0; r < 32; ++r)
    As[r][t] = 1.0f;
  __syncthreads();
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = 0; r < 32; ++r)
      if (k0 + t < K - 1)
        As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += As[t][k] * (k + 1);
    __syncthreads();
  }
  y[t] = sum;
}

// Three dimensions, and a read behind the loop.
// CHECK: {{^}}  __shared__ float As_{{stages}}[2][2][16][32 + 1];
__global__ void __launch_bounds__(64)
three_dimensions(const float *__restrict__ A, float *y, int K) {
  __shared__ float As[2][16][32];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = t / 32; r < 32; r += 2)
      As[r / 16][r % 16][t % 32] = A[r * K + k0 + t % 32];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum = sum * 0.5f + As[t / 16 & 1][t & 15][k];
    __syncthreads();
  }
  if (K > 0)
    sum += As[t % 2][t / 4][31];
  y[t] = sum;
}

// The tile is declared in the loop, and half-precision elements are read one by
// one: two to a word.
// CHECK: {{^ +}}__shared__ half As_{{stages}}[2][32][64 + 2];
__global__ void __launch_bounds__(32)
halves(const half *__restrict__ A, float *y, int K) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    __shared__ half As[32][64];
    for (int i = 0; i < 64; ++i)
      As[i / 2][i % 2 * 32 + t] = A[i / 2 * K + k0 + i % 2 * 32 + t];
    __syncthreads();
    for (int k = 63; k >= 0; --k)
      sum += __half2float(As[t][k]) * k;
    __syncthreads();
  }
  y[t] = sum;
}

// The length of a row is an expression that binds less than a sum.
// CHECK: {{^}}  __shared__ __align__(32) half As_{{stages}}[2][16][64 + 8];
// CHECK: {{^ +}}wmma::load_matrix_sync(a, &As{{.*}}[0][k], (K64 ? 64 : 0) + 8);
__global__ void __launch_bounds__(32)
wmma_length(const half *__restrict__ A, float *C, int K) {
  constexpr bool K64 = true;
  __shared__ __align__(32) half As[16][64];
  const int lane = threadIdx.x;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 64) {
    for (int i = 0; i < 4; ++i) {
      int at = i * 32 + lane;
      *(float4 *)&As[at / 8][at % 8 * 8] =
          *(const float4 *)&A[at / 8 * K + k0 + at % 8 * 8];
    }
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
      wmma::load_matrix_sync(a, &As[0][k], K64 ? 64 : 0);
      wmma::load_matrix_sync(b, &As[0][k], 64u);
      wmma::mma_sync(acc, a, b, acc);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(C, acc, 16, wmma::mem_row_major);
}

#ifndef KPIPE_HARNESS // which has launches of its own
void launches(const float *A, const float *x, float *y) {
  column_read<<<1, dim3(32, 8)>>>(A, x, y, 64);
  transposed_store<<<1, dim3(16, 16)>>>(A, x, y, 16, 64);
  wide_copies<32, 32><<<1, 256>>>(A, x, y, 64);
}
#else
#include "harness.h"
CASE(wmma_rows) {
  for (int k : multiples(BK)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", 64 * k);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128)}, wmma_rows, a, b, c, 64, k);
  }
}
CASE(column_read) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 32 * k), x = in<float>("x", k);
    auto y = out<float>("y", 32);
    launch({dim3(1), dim3(32, 8)}, column_read, a, x, y, k);
  }
}
CASE(wide_copies) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 64 * k), x = in<float>("x", k);
    auto y = out<float>("y", 64);
    launch({dim3(2), dim3(256)}, wide_copies<32, 32>, a, x, y, k);
  }
}
CASE(mma_rows) {
  for (int k : multiples(KT)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", 8 * k);
    auto c = out<float>("C", 32 * 8);
    launch({dim3(2), dim3(32)}, mma_rows, a, b, c, k);
  }
}
CASE(transposed_store) {
  for (int k : sizes(16)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", 32 * k);
    auto c = out<float>("C", 16 * 32);
    launch({dim3(2, 1), dim3(16, 16)}, transposed_store, a, b, c, 32, k);
  }
}
CASE(one_buffer) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 32 * k);
    auto y = out<float>("y", 32);
    launch({dim3(1), dim3(32)}, one_buffer, a, y, k);
  }
}
CASE(three_dimensions) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 32 * k);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, three_dimensions, a, y, k);
  }
}
CASE(halves) {
  for (int k : multiples(64)) {
    auto a = in<half>("A", 32 * k);
    auto y = out<float>("y", 32);
    launch({dim3(1), dim3(32)}, halves, a, y, k);
  }
}
CASE(wmma_length) {
  for (int k : multiples(64)) {
    auto a = in<half>("A", 16 * k);
    auto c = out<float>("C", 16 * 16);
    launch({dim3(1), dim3(32)}, wmma_length, a, c, k);
  }
}
#endif
