// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that arrive by cp.async in inline asm, through macros and helpers as
// people write them, and are waited for at once. What kpipe is to make of each
// kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CP_ASYNC_CA(dst, src, bytes)                                                               \
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define CP_ASYNC_CG(dst, src, bytes)                                                               \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
#define CP_ASYNC_WAIT_ALL() asm volatile("cp.async.wait_all;\n" ::)

// Expected: pipelined; addresses of shared memory are numbers.
template <int BM, int BN, int BK, int PAD>
__global__ void __launch_bounds__(256) hgemm_t_8x8(half *a, half *b, half *c, int M, int N, int K) {
  __shared__ half s_a[BM][BK + PAD];
  __shared__ half s_b[BK][BN + PAD];
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  int load_a_m = tid / 2, load_a_k = (tid & 1) * 8;
  int load_b_k = tid / 16, load_b_n = (tid & 15) * 8;
  int gmem_a_m = blockIdx.y * BM + load_a_m, gmem_b_n = blockIdx.x * BN + load_b_n;
  half acc[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      acc[i][j] = __float2half(0.0f);
  for (int bk = 0; bk < (K + BK - 1) / BK; ++bk) {
    uint32_t a_ptr = __cvta_generic_to_shared(&s_a[load_a_m][load_a_k]);
    CP_ASYNC_CG(a_ptr, &a[gmem_a_m * K + bk * BK + load_a_k], 16);
    uint32_t b_ptr = __cvta_generic_to_shared(&s_b[load_b_k][load_b_n]);
    CP_ASYNC_CG(b_ptr, &b[(bk * BK + load_b_k) * N + gmem_b_n], 16);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] = __hfma(s_a[threadIdx.y * 8 + i][k], s_b[k][threadIdx.x * 8 + j], acc[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(blockIdx.y * BM + threadIdx.y * 8 + i) * N + blockIdx.x * BN + threadIdx.x * 8 + j] = acc[i][j];
}

// Expected: pipelined; the base address is taken once, the rest is arithmetic.
__global__ void base_and_offsets(const half *A, const half *B, float *C, int K) {
  constexpr int LD = 40;
  __shared__ __align__(16) half s_a[32 * LD];
  __shared__ __align__(16) half s_b[32 * LD];
  uint32_t smem_a_base = __cvta_generic_to_shared(s_a);
  uint32_t smem_b_base = __cvta_generic_to_shared(s_b);
  int row = threadIdx.x / 4, col = threadIdx.x % 4 * 8;
  float sum[8] = {};
  for (int k0 = 0; k0 < K; k0 += 32) {
    uint32_t load_a_ptr = (smem_a_base + (row * LD + col) * sizeof(half));
    CP_ASYNC_CG(load_a_ptr, &A[row * K + k0 + col], 16);
    uint32_t load_b_ptr = (smem_b_base + (row * LD + col) * sizeof(half));
    CP_ASYNC_CG(load_b_ptr, &B[row * K + k0 + col], 16);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_ALL();
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int j = 0; j < 8; ++j)
        sum[j] += __half2float(s_a[row * LD + k]) * __half2float(s_b[(col + j) * LD + k]);
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    C[row * 32 + col + j] = sum[j];
}

// Expected: pipelined; numbers are made of numbers before the loop.
__global__ void numbers_of_numbers(const half *A, const half *B, float *C, int K) {
  constexpr int LD = 40;
  __shared__ __align__(16) half s_a[32][LD];
  __shared__ __align__(16) half s_b[32][LD];
  int row = threadIdx.x / 4 / 2 * 2, col = threadIdx.x % 4 * 8;
  int a_base = __cvta_generic_to_shared(s_a[0]);
  int b_base = __cvta_generic_to_shared(s_b[0]);
  int a_0 = a_base + (row * LD + col) * sizeof(half);
  int a_1 = a_0 + LD * sizeof(half);
  int b_0 = b_base + (row * LD + col) * sizeof(half);
  int b_1 = b_0 + LD * sizeof(half);
  float sum[8] = {};
  for (int k0 = 0; k0 < K; k0 += 32) {
    if (threadIdx.x % 8 < 4) {
      CP_ASYNC_CA(a_0, &A[row * K + k0 + col], 16);
      CP_ASYNC_CA(a_1, &A[(row + 1) * K + k0 + col], 16);
    } else {
      CP_ASYNC_CA(b_0, &B[row * K + k0 + col], 16);
      CP_ASYNC_CA(b_1, &B[(row + 1) * K + k0 + col], 16);
    }
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int j = 0; j < 8; ++j)
        sum[j] += __half2float(s_a[threadIdx.x / 4][k]) * __half2float(s_b[col + j][k]);
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    C[threadIdx.x / 4 * 32 + col + j] = sum[j];
}

// Expected: pipelined, in one buffer: the bits of an address are asked for.
__global__ void number_is_asked_for(const float4 *A, float *C, int n) {
  __shared__ float4 s_a[32];
  unsigned base = __cvta_generic_to_shared(s_a);
  unsigned mine = base + threadIdx.x * 16;
  unsigned other = base ^ 16;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    CP_ASYNC_CG(mine, &A[k + threadIdx.x], 16);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_ALL();
    __syncthreads();
    sum += s_a[31 - threadIdx.x].x + (other & 1);
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}

// A helper that takes pointers, of the size it copies.
template <int Bytes> __device__ __forceinline__ void cp_async(void *smem, const void *gmem) {
  unsigned addr = static_cast<unsigned>(__cvta_generic_to_shared(smem));
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(addr), "l"(gmem), "n"(Bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(addr), "l"(gmem), "n"(Bytes) : "memory");
}
__device__ __forceinline__ void cp_async_fence() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Expected: pipelined; 4, 8 and 16 bytes in one tile.
__global__ void helper_with_pointers(const float *x, const double *d, const int4 *v, double *out, int n) {
  __shared__ float a[64];
  __shared__ double b[64];
  __shared__ int4 c[64];
  double sum = 0;
  for (int t = 0; t < n; ++t) {
    int i = t * 64 + threadIdx.x;
    cp_async<4>(&a[threadIdx.x], &x[i]);
    cp_async<8>(b + threadIdx.x, d + i);
    cp_async<16>(&c[threadIdx.x], &v[i]);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += a[k] * b[63 - k] + c[(threadIdx.x + k) & 63].y;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// As CUTLASS writes it: a predicate in front of the copy.
__device__ __forceinline__ void cp_async_guarded(void *smem, const void *gmem, bool pred_guard) {
  uint32_t smem_int_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(smem));
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %0, 0;\n"
               "  @p cp.async.cg.shared.global [%1], [%2], %3;\n"
               "}\n" ::"r"((int)pred_guard),
               "r"(smem_int_ptr), "l"(gmem), "n"(16));
}
// And with as many bytes as the predicate says, the rest zero.
__device__ __forceinline__ void cp_async_zfill(void *smem, const void *gmem, bool pred_guard) {
  uint32_t smem_int_ptr = static_cast<uint32_t>(__cvta_generic_to_shared(smem));
  int src_in_bytes = pred_guard ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(smem_int_ptr), "l"(gmem), "n"(16),
               "r"(src_in_bytes));
}

// Expected: pipelined, with zero fill.
__global__ void zfill_by_helper(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[32][16];
  __shared__ __align__(16) float b[16][32];
  int tid = threadIdx.x;
  int am = tid / 4, ak = tid % 4 * 4, bk = tid / 8, bn = tid % 8 * 4;
  float acc[8] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    bool in_a = am < M && k0 + ak < K, in_b = k0 + bk < K && bn < N;
    cp_async_zfill(&a[am][ak], in_a ? A + am * K + k0 + ak : A, in_a);
    cp_async_zfill(&b[bk][bn], in_b ? B + (k0 + bk) * N + bn : B, in_b);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 8; ++j)
        acc[j] += a[am][k] * b[k][ak / 4 * 8 + j];
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    if (am < M && ak / 4 * 8 + j < N)
      C[am * N + ak / 4 * 8 + j] = acc[j];
}

// Expected: pipelined; what the predicate leaves out is stored as zeros by the
// same thread, and the two exclude each other.
__global__ void guard_and_zero(const float4 *x, float *out, int n) {
  __shared__ float4 tile[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    int at = i + threadIdx.x;
    cp_async_guarded(&tile[threadIdx.x], x + at, at < n);
    if (at >= n)
      tile[threadIdx.x] = make_float4(0, 0, 0, 0);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k].x - tile[k].z * tile[(k + threadIdx.x) % 64].w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the number of bytes to read ends in the middle of one copy.
__global__ void part_of_a_copy(const signed char *x, int *out, int n) {
  __shared__ __align__(16) signed char tile[64 * 16];
  uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  int sum = 0;
  for (int i = 0; i < n; i += 64 * 16) {
    int left = n - i - threadIdx.x * 16;
    int bytes = left >= 16 ? 16 : left > 0 ? left : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(base + threadIdx.x * 16),
                 "l"(x + i + (bytes ? threadIdx.x * 16 : 0)), "r"(bytes));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    const int *packed = reinterpret_cast<const int *>(tile);
    for (int k = 0; k < 256; ++k)
      sum = __dp4a(packed[k], packed[(k + threadIdx.x) & 255], sum);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; rows in a loop that strides by the block, no groups at all.
__device__ __forceinline__ void wait_everything() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__global__ void stencil_rows(const float *in, float *out, int rows, int width) {
  __shared__ float line[3][66];
  for (int r = 1; r < rows - 1; ++r) {
    for (int dr = -1; dr <= 1; ++dr)
      for (int x = threadIdx.x; x < 66; x += blockDim.x)
        cp_async<4>(&line[dr + 1][x], &in[(r + dr) * width + x]);
    wait_everything();
    __syncthreads();
    int x = threadIdx.x + 1;
    out[r * width + x] =
        0.25f * (line[0][x] + line[2][x] + line[1][x - 1] + line[1][x + 1]) - line[1][x];
    __syncthreads();
  }
}

// Expected: pipelined; bfloat16, 2-D block, one macro that copies, commits and
// waits.
#define LOAD_TILE(dst, src)                                                                        \
  do {                                                                                             \
    CP_ASYNC_CA(uint32_t(__cvta_generic_to_shared(dst)), src, 4);                                  \
    CP_ASYNC_COMMIT_GROUP();                                                                       \
    CP_ASYNC_WAIT_GROUP(0);                                                                        \
    __syncthreads();                                                                               \
  } while (0)
__global__ void macro_that_waits(const __nv_bfloat16 *x, const __nv_bfloat16 *w, float *out, int n) {
  __shared__ __nv_bfloat16 tile[8][16];
  float sum = 0;
  int col = threadIdx.x * 2;
  for (int t = 0; t < n; ++t) {
    LOAD_TILE(&tile[threadIdx.y][col], &x[(t * 8 + threadIdx.y) * 16 + col]);
    for (int r = 0; r < 8; ++r)
      sum += __bfloat162float(tile[r][col]) * __bfloat162float(w[t * 8 + r]);
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = sum;
}

// Expected: staged by hand: wait_group leaves one group behind.
__global__ void by_hand_wait_one(const float *x, float *out, int n) {
  __shared__ float s[2][64];
  uint32_t base = __cvta_generic_to_shared(s);
  float sum = 0;
  if (n > 0)
    CP_ASYNC_CA(base + threadIdx.x * 4, x + threadIdx.x, 4);
  CP_ASYNC_COMMIT_GROUP();
  for (int t = 1; t <= n; ++t) {
    int next = t & 1, now = next ^ 1;
    if (t < n)
      CP_ASYNC_CA(base + next * 256 + threadIdx.x * 4, x + t * 64 + threadIdx.x, 4);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(1);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += s[now][k] * k;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a copy that nothing commits is waited for behind the loop
// only, and its destination is read there.
__global__ void uncommitted_for_later(const float *x, const float *y, float *out, int n) {
  __shared__ float tile[64], last[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cp_async<4>(&tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    cp_async_fence();
    if (t == n - 1)
      cp_async<4>(&last[threadIdx.x], &y[threadIdx.x]);
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  if (n > 0)
    sum += last[63 - threadIdx.x];
  out[threadIdx.x] = sum;
}

// Expected: refused: the address that the copy writes is not known to be the
// tile's.
__global__ void address_from_afar(const float *x, const unsigned *where, float *out, int n) {
  __shared__ float tile[128];
  uint32_t base = __cvta_generic_to_shared(tile);
  tile[threadIdx.x] = tile[threadIdx.x + 64] = 0;
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    CP_ASYNC_CA(base + where[threadIdx.x], x + t * 64 + threadIdx.x, 4);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(hgemm_t_8x8) {
  for (int k : multiples(16)) {
    auto a = in<half>("A", 128 * k), b = in<half>("B", k * 128), c = out<half>("C", 128 * 128);
    launch({1, dim3(16, 16)}, hgemm_t_8x8<128, 128, 16, 8>, a, b, c, 128, 128, k);
  }
}
CASE(base_and_offsets) {
  for (int k : multiples(32)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", 32 * k);
    auto c = out<float>("C", 32 * 32);
    launch({1, 128}, base_and_offsets, a, b, c, k);
  }
}
CASE(numbers_of_numbers) {
  for (int k : multiples(32)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", 32 * k);
    auto c = out<float>("C", 32 * 32);
    launch({1, 128}, numbers_of_numbers, a, b, c, k);
  }
}
CASE(number_is_asked_for) {
  for (int n : multiples(32)) {
    auto a = in<float>("A", 4 * n), c = out<float>("C", 32);
    launch({1, 32}, number_is_asked_for, a.as<float4>(), c, n);
  }
}
CASE(helper_with_pointers) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64);
    auto d = in<double>("d", n * 64), y = out<double>("out", 64);
    auto v = in<int>("v", n * 256);
    launch({1, 64}, helper_with_pointers, x, d, v.as<int4>(), y, n);
  }
}
CASE(zfill_by_helper) {
  for (int k : multiples(4)) {
    auto a = in<float>("A", 30 * k), b = in<float>("B", k * 28), c = out<float>("C", 30 * 28);
    launch({1, 128}, zfill_by_helper, a, b, c, 30, 28, k);
  }
}
CASE(guard_and_zero) {
  for (int n : sizes(64)) {
    auto x = in<float>("x", n * 4), y = out<float>("out", 64);
    launch({1, 64}, guard_and_zero, x.as<float4>(), y, n);
  }
}
CASE(part_of_a_copy) {
  for (int n : sizes(64 * 16)) {
    auto x = in<signed char>("x", (n + 15) / 16 * 16);
    auto y = out<int>("out", 64);
    launch({1, 64}, part_of_a_copy, x, y, n);
  }
}
CASE(stencil_rows) {
  for (int n : multiples(1)) {
    auto x = in<float>("in", (n + 2) * 66), y = out<float>("out", (n + 2) * 66);
    launch({1, 64}, stencil_rows, x, y, n + 2, 66);
  }
}
CASE(macro_that_waits) {
  for (int n : multiples(1)) {
    auto x = in<__nv_bfloat16>("x", n * 128), w = in<__nv_bfloat16>("w", n * 8);
    auto y = out<float>("out", 64);
    launch({1, dim3(8, 8)}, macro_that_waits, x, w, y, n);
  }
}
CASE(by_hand_wait_one) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    launch({1, 64}, by_hand_wait_one, x, y, n);
  }
}
CASE(uncommitted_for_later) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = in<float>("y", 64), o = out<float>("out", 64);
    launch({1, 64}, uncommitted_for_later, x, y, o, n);
  }
}
CASE(address_from_afar) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    auto w = in<unsigned>("where", 64, [](int i) { return i * 8; });
    launch({1, 64}, address_from_afar, x, w, y, n);
  }
}
#endif
