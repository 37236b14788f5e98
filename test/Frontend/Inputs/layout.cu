// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and alignments of CUDA's types and element counts of wmma fragments.
// Shared-memory budgets, copy widths and alignment proofs rest on them, so the
// toolkit's headers and kpipe's own declarations must both satisfy this file.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>

#define LAYOUT(T, SIZE, ALIGN)                                                 \
  static_assert(sizeof(T) == SIZE, "size of " #T);                             \
  static_assert(alignof(T) == ALIGN, "alignment of " #T)

LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(uchar1, 1, 1);
LAYOUT(uchar2, 2, 2);
LAYOUT(uchar3, 3, 1);
LAYOUT(uchar4, 4, 4);
LAYOUT(short1, 2, 2);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(short4, 8, 8);
LAYOUT(ushort1, 2, 2);
LAYOUT(ushort2, 4, 4);
LAYOUT(ushort3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(uint1, 4, 4);
LAYOUT(uint2, 8, 8);
LAYOUT(uint3, 12, 4);
LAYOUT(uint4, 16, 16);
LAYOUT(long1, 8, 8);
LAYOUT(long2, 16, 16);
LAYOUT(long3, 24, 8);
LAYOUT(long4, 32, 16);
LAYOUT(ulong1, 8, 8);
LAYOUT(ulong2, 16, 16);
LAYOUT(ulong3, 24, 8);
LAYOUT(ulong4, 32, 16);
LAYOUT(longlong1, 8, 8);
LAYOUT(longlong2, 16, 16);
LAYOUT(longlong3, 24, 8);
LAYOUT(longlong4, 32, 16);
LAYOUT(ulonglong1, 8, 8);
LAYOUT(ulonglong2, 16, 16);
LAYOUT(ulonglong3, 24, 8);
LAYOUT(ulonglong4, 32, 16);
LAYOUT(float1, 4, 4);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(dim3, 12, 4);
LAYOUT(half, 2, 2);
LAYOUT(half2, 4, 4);
LAYOUT(__half_raw, 2, 2);
LAYOUT(__half2_raw, 4, 4);
LAYOUT(nv_bfloat16, 2, 2);
LAYOUT(nv_bfloat162, 4, 4);
LAYOUT(__nv_fp8_e4m3, 1, 1);
LAYOUT(__nv_fp8_e5m2, 1, 1);
LAYOUT(__nv_fp8x2_e4m3, 2, 2);
LAYOUT(__nv_fp8x4_e4m3, 4, 4);
LAYOUT(__nv_fp8x2_e5m2, 2, 2);
LAYOUT(__nv_fp8x4_e5m2, 4, 4);

using namespace nvcuda;
#define FRAGMENT(USE, M, N, K, T, LAYOUT_ARG, ELEMENTS, BYTES)                 \
  static_assert(                                                               \
      wmma::fragment<wmma::USE, M, N, K, T LAYOUT_ARG>::num_elements ==        \
          ELEMENTS,                                                            \
      #USE " elements");                                                       \
  static_assert(sizeof(wmma::fragment<wmma::USE, M, N, K, T LAYOUT_ARG>) ==    \
                    BYTES,                                                     \
                #USE " bytes")
#define ROW , wmma::row_major
#define COL , wmma::col_major
#define NONE
FRAGMENT(matrix_a, 16, 16, 16, half, ROW, 16, 32);
FRAGMENT(matrix_b, 16, 16, 16, half, COL, 16, 32);
FRAGMENT(accumulator, 16, 16, 16, half, NONE, 8, 16);
FRAGMENT(accumulator, 16, 16, 16, float, NONE, 8, 32);
FRAGMENT(matrix_a, 16, 16, 16, signed char, ROW, 8, 8);
FRAGMENT(matrix_b, 16, 16, 16, signed char, COL, 8, 8);
FRAGMENT(matrix_a, 16, 16, 16, unsigned char, ROW, 8, 8);
FRAGMENT(matrix_b, 16, 16, 16, unsigned char, COL, 8, 8);
FRAGMENT(matrix_a, 16, 16, 16, nv_bfloat16, ROW, 8, 16);
FRAGMENT(matrix_b, 16, 16, 16, nv_bfloat16, COL, 8, 16);
FRAGMENT(accumulator, 16, 16, 16, int, NONE, 8, 32);
FRAGMENT(matrix_a, 32, 8, 16, half, ROW, 16, 32);
FRAGMENT(matrix_b, 32, 8, 16, half, COL, 16, 32);
FRAGMENT(accumulator, 32, 8, 16, half, NONE, 8, 16);
FRAGMENT(accumulator, 32, 8, 16, float, NONE, 8, 32);
FRAGMENT(matrix_a, 32, 8, 16, signed char, ROW, 16, 16);
FRAGMENT(matrix_b, 32, 8, 16, signed char, COL, 4, 8);
FRAGMENT(matrix_a, 32, 8, 16, unsigned char, ROW, 16, 16);
FRAGMENT(matrix_b, 32, 8, 16, unsigned char, COL, 4, 8);
FRAGMENT(matrix_a, 32, 8, 16, nv_bfloat16, ROW, 16, 32);
FRAGMENT(matrix_b, 32, 8, 16, nv_bfloat16, COL, 4, 8);
FRAGMENT(accumulator, 32, 8, 16, int, NONE, 8, 32);
FRAGMENT(matrix_a, 8, 32, 16, half, ROW, 16, 32);
FRAGMENT(matrix_b, 8, 32, 16, half, COL, 16, 32);
FRAGMENT(accumulator, 8, 32, 16, half, NONE, 8, 16);
FRAGMENT(accumulator, 8, 32, 16, float, NONE, 8, 32);
FRAGMENT(matrix_a, 8, 32, 16, signed char, ROW, 4, 8);
FRAGMENT(matrix_b, 8, 32, 16, signed char, COL, 16, 16);
FRAGMENT(matrix_a, 8, 32, 16, unsigned char, ROW, 4, 8);
FRAGMENT(matrix_b, 8, 32, 16, unsigned char, COL, 16, 16);
FRAGMENT(matrix_a, 8, 32, 16, nv_bfloat16, ROW, 4, 8);
FRAGMENT(matrix_b, 8, 32, 16, nv_bfloat16, COL, 16, 32);
FRAGMENT(accumulator, 8, 32, 16, int, NONE, 8, 32);
FRAGMENT(matrix_a, 16, 16, 8, wmma::precision::tf32, ROW, 4, 16);
FRAGMENT(matrix_b, 16, 16, 8, wmma::precision::tf32, COL, 4, 16);
FRAGMENT(accumulator, 16, 16, 8, float, NONE, 8, 32);
FRAGMENT(matrix_a, 8, 8, 4, double, ROW, 1, 8);
FRAGMENT(accumulator, 8, 8, 4, double, NONE, 2, 16);
FRAGMENT(matrix_a, 8, 8, 32, wmma::experimental::precision::s4, ROW, 8, 8);
FRAGMENT(accumulator, 8, 8, 32, int, NONE, 2, 8);
FRAGMENT(matrix_a, 8, 8, 128, wmma::experimental::precision::b1, ROW, 32, 8);
