// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that threads copy by 16 bytes, and that the copy engine brings with
// --copies=tma, swizzled: read with ldmatrix, by vectors and by elements.
// REQUIRES: executor
// RUN: %variants --arch=sm_90 --at-least=7 --legal=. --option=--copies=tma \
// RUN:   --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite %s --arch=sm_90 --copies=tma --allow-occupancy-drop \
// RUN:   -o %t.cu 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s --input-file=%t.err
// RUN: not grep 'would change the same text' %t.err
// RUN: %code %t.cu | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ unsigned address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_t(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                         unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ void store(float *C, const float (&acc)[4][4], int row, int col, int N, int lane) {
  for (int j = 0; j < 4; ++j) {
    float *c = &C[(row + lane / 4) * N + col + j * 8 + lane % 4 * 2];
    c[0] = acc[j][0];
    c[1] = acc[j][1];
    c[8 * N] = acc[j][2];
    c[8 * N + 1] = acc[j][3];
  }
}

// The plain kernel: 128 bytes a row, two panels of B.
constexpr int BM = 32, BN = 128, BK = 64, T = 128;
__global__ void __launch_bounds__(T)
    panels(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int N,
           int K) {
  __shared__ half As[BM][BK];
  __shared__ half Bs[BK][BN];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float acc[2][4][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 8; i += T)
      *reinterpret_cast<uint4 *>(&As[i / 8][i % 8 * 8]) =
          *reinterpret_cast<const uint4 *>(&A[(row + i / 8) * K + k0 + i % 8 * 8]);
    for (int i = tid; i < BK * BN / 8; i += T)
      *reinterpret_cast<uint4 *>(&Bs[i / 16][i % 16 * 8]) =
          *reinterpret_cast<const uint4 *>(&B[(k0 + i / 16) * N + col + i % 16 * 8]);
    __syncthreads();
    for (int k = 0; k < BK; k += 16)
      for (int i = 0; i < 2; ++i) {
        unsigned a[4], b[4];
        load(a, address(&As[i * 16 + lane % 16][k + lane / 16 * 8]));
        for (int j = 0; j < 2; ++j) {
          load_t(b, address(&Bs[k + lane % 16][warp * 32 + j * 16 + lane / 16 * 8]));
          multiply(acc[i][2 * j], a, b[0], b[1]);
          multiply(acc[i][2 * j + 1], a, b[2], b[3]);
        }
      }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    store(C, acc[i], row + i * 16, col + warp * 32, N, lane);
}
// SAID: remark: pipelined
// SAID: note: the copy engine brings As, Bs, swizzled
// CHECK: #include <kpipe/tile_map.h>
// CHECK-LABEL: {{^ *(__global__ .* )?}}panels(
// CHECK: const __grid_constant__ CUtensorMap [[A:As_map[_2]*]],
// CHECK: const __grid_constant__ CUtensorMap [[B:Bs_map[_2]*]]
// CHECK: kpipe::expect_tile([[FULL:full[_2]*]], 20480);
// CHECK: kpipe::load_box(As, [[A]], k0, row, [[FULL]]);
// CHECK: kpipe::load_box(Bs[0], [[B]], col, k0, [[FULL]]);
// CHECK: kpipe::load_box(Bs[1], [[B]], col + 64, k0, [[FULL]]);
// CHECK: kpipe::swizzled(As, i * 16 + lane % 16,

// Rows of 64 bytes, which the author padded; several loops; a count of tiles.
__global__ void __launch_bounds__(64)
    padded(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(16) half As[32][32 + 8], Bs[32][32 + 8];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  float acc[4][4] = {};
  for (int t = 0; t < K / 32; ++t) {
    const int k0 = t * 32;
    for (int i = 0; i < 2; ++i) {
      const int r = i * 16 + tid / 4, c = tid % 4 * 8;
      *(uint4 *)&As[r][c] = *(const uint4 *)&A[(row + r) * K + k0 + c];
      *(uint4 *)&Bs[r][c] = *(const uint4 *)&B[(k0 + r) * N + col + c];
    }
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      unsigned a[4], b[4];
      load(a, address(&As[warp * 16 + lane % 16][k + lane / 16 * 8]));
      for (int j = 0; j < 2; ++j) {
        load_t(b, address(&Bs[k + lane % 16][j * 16 + lane / 16 * 8]));
        multiply(acc[2 * j], a, b[0], b[1]);
        multiply(acc[2 * j + 1], a, b[2], b[3]);
      }
    }
    __syncthreads();
  }
  store(C, acc, row + warp * 16, col, N, lane);
}
// CHECK-LABEL: {{^ *(__global__ .* )?}}padded(
// CHECK: kpipe::load_box(As,
// CHECK: kpipe::load_box(Bs,

// B is stored column by column; bf16, read by elements.
__global__ void __launch_bounds__(64)
    transposed(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int N, int K) {
  __shared__ __nv_bfloat16 As[16][64];
  __shared__ __nv_bfloat16 Bs[16][64];
  const int tid = threadIdx.x;
  const int row = blockIdx.y * 16, col = blockIdx.x * 16;
  float acc[4] = {};
  for (int k0 = 0; k0 < K; k0 += 64) {
    for (int i = tid; i < 128; i += 64) {
      *(int4 *)&As[i / 8][i % 8 * 8] = *(const int4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
      *(int4 *)&Bs[i / 8][i % 8 * 8] = *(const int4 *)&B[(col + i / 8) * K + k0 + i % 8 * 8];
    }
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      for (int i = 0; i < 4; ++i)
        acc[i] += __bfloat162float(As[tid / 16 * 4 + i][k]) * __bfloat162float(Bs[tid % 16][k]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + tid / 16 * 4 + i) * N + col + tid % 16] = acc[i];
}

// Three operands, read by vectors.
__global__ void __launch_bounds__(64)
    gated(const half *A, const half *B, const half *G, float *C, int N, int K) {
  __shared__ half As[16][64], Bs[64][64], Gs[64][64];
  const int tid = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 64;
  float up[16] = {}, gate[16] = {};
  for (int k0 = 0; k0 < K; k0 += 64) {
    for (int i = tid; i < 128; i += 64)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    for (int i = tid; i < 512; i += 64) {
      *(uint4 *)&Bs[i / 8][i % 8 * 8] = *(const uint4 *)&B[(k0 + i / 8) * N + col + i % 8 * 8];
      *(uint4 *)&Gs[i / 8][i % 8 * 8] = *(const uint4 *)&G[(k0 + i / 8) * N + col + i % 8 * 8];
    }
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const half2 b = *(const half2 *)&Bs[k][tid % 32 * 2];
      const half2 g = *(const half2 *)&Gs[k][tid % 32 * 2];
      for (int i = 0; i < 8; ++i) {
        const float a = __half2float(As[tid / 32 * 8 + i][k]);
        up[2 * i] += a * __half2float(b.x);
        up[2 * i + 1] += a * __half2float(b.y);
        gate[2 * i] += a * __half2float(g.x);
        gate[2 * i + 1] += a * __half2float(g.y);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    C[(row + tid / 32 * 8 + i / 2) * N + col + tid % 32 * 2 + i % 2] = up[i] * gate[i];
}

// A block of two axes, floats, a pointer made in front, rows of constant length.
constexpr int Length = 96;
__global__ void two_axes(const float *A, const float *B, float *C, int K) {
  __shared__ float As[32][32];
  __shared__ float Bs[32][32];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * 32;
  const float *b = B + row;
  float acc[4] = {};
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int i = y; i < 32; i += 8) {
      *(float4 *)&As[i][x * 4] = *(const float4 *)&A[(row + i) * K + k0 + x * 4];
      *(float4 *)&Bs[i][x * 4] = *(const float4 *)&b[(k0 + i) * Length + x * 4];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float4 v = *(const float4 *)&Bs[k][x * 4];
      acc[0] += As[y][k] * v.x;
      acc[1] += As[y + 8][k] * v.y;
      acc[2] += As[y + 16][k] * v.z;
      acc[3] += As[y + 24][k] * v.w;
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    C[(row + y + 8 * i) * 32 + x * 4 + i] = acc[i];
}

// A template, bytes, a loop that does not count from 0.
template <int Rows>
__global__ void __launch_bounds__(32) bytes(const signed char *A, int *C, int pitch, int first) {
  __shared__ signed char As[Rows][128];
  const int lane = threadIdx.x, row = blockIdx.x * Rows;
  int sum = 0;
  for (int k0 = 128; k0 < first; k0 += 128) {
    for (int i = lane; i < Rows * 8; i += 32)
      *(int4 *)&As[i / 8][i % 8 * 16] = *(const int4 *)&A[(row + i / 8) * pitch + k0 + i % 8 * 16];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 3 + As[lane % Rows][i];
    __syncthreads();
  }
  C[blockIdx.x * 32 + lane] = sum;
}

// Rows that are apart by a product, with 64 bits; or one row for all.
__global__ void __launch_bounds__(32) strides(const half *A, float *C, int K, int ld, int parts) {
  __shared__ half As[16][64];
  const int lane = threadIdx.x, row = blockIdx.x * 16;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    for (int i = lane; i < 128; i += 32)
      *(uint4 *)&As[i / 8][i % 8 * 8] =
          *(const uint4 *)&A[(size_t)(row + i / 8) * ld * parts + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + __half2float(As[lane % 16][i]);
    __syncthreads();
  }
  C[blockIdx.x * 32 + lane] = sum;
}
// CHECK: kpipe::tile_map<16, 64>(A, 1LL * ld * parts)

void run_panels(const half *A, const half *B, float *C, int n, int k) {
  panels<<<dim3(2, 2), T>>>(A, B, C, n, k);
}
void run_padded(const half *A, const half *B, float *C, int n, int k) {
  padded<<<dim3(2, 2), 64>>>(A, B, C, n, k);
}
void run_transposed(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int n, int k) {
  transposed<<<dim3(2, 2), 64>>>(A, B, C, n, k);
}
void run_gated(const half *A, const half *B, const half *G, float *C, size_t n, int k) {
  gated<<<dim3(1, 2), 64>>>(A, B, G, C, n, k);
}
void run_two_axes(const float *A, const float *B, float *C, int k) {
  two_axes<<<3, dim3(8, 8)>>>(A, B, C, k);
}
void run_bytes(const signed char *A, int *C, int pitch, int first) {
  bytes<16><<<2, 32>>>(A, C, pitch, first);
}
void run_strides(const half *A, float *C, int k, int ld, int parts) {
  strides<<<2, 32>>>(A, C, k, ld, parts);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(brought_panels) {
  for (int k : multiples(BK)) {
    auto a = in<half>("A", 2 * BM * k + 8), b = in<half>("B", k * 2 * BN + 8);
    auto c = out<float>("C", 2 * BM * 2 * BN);
    run_panels(a, b, c, 2 * BN, k);
  }
}
CASE(brought_padded) {
  for (int k : multiples(32)) {
    auto a = in<half>("A", 64 * k + 8), b = in<half>("B", k * 64 + 8);
    auto c = out<float>("C", 64 * 64);
    run_padded(a, b, c, 64, k);
  }
}
CASE(brought_transposed) {
  for (int k : multiples(64)) {
    auto a = in<__nv_bfloat16>("A", 32 * k + 8), b = in<__nv_bfloat16>("B", 32 * k + 8);
    auto c = out<float>("C", 32 * 32);
    run_transposed(a, b, c, 32, k);
  }
}
CASE(brought_gated) {
  for (int k : multiples(64)) {
    auto a = in<half>("A", 32 * k + 8), b = in<half>("B", k * 64 + 8), g = in<half>("G", k * 64 + 8);
    auto c = out<float>("C", 32 * 64);
    run_gated(a, b, g, c, 64, k);
  }
}
CASE(brought_two_axes) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 96 * k + 8), b = in<float>("B", k * Length + 8);
    auto c = out<float>("C", 96 * 32);
    run_two_axes(a, b, c, k);
  }
}
CASE(brought_bytes) {
  for (int k : multiples(128)) {
    auto a = in<signed char>("A", 32 * (k + 128) + 16);
    auto c = out<int>("C", 64);
    run_bytes(a, c, k + 128, k + 128);
  }
}
CASE(brought_strides) {
  for (int k : multiples(64)) {
    auto a = in<half>("A", 64 * k + 8);
    auto c = out<float>("C", 64);
    run_strides(a, c, k, k, 2);
  }
}
CASE(brought_one_row) {
  for (int k : multiples(64)) {
    auto a = in<half>("A", k + 8);
    auto c = out<float>("C", 64);
    run_strides(a, c, k, 0, 2);
  }
}
#endif
