// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that load a whole tile with asynchronous copies, in loops and
// conditions of their own. They become plain where they stand, if nobody else
// calls them. What kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cstdint>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__device__ __forceinline__ void cp_async16(void *to, const void *from) {
  uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(s), "l"(from));
}
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

__device__ float sum_of(const float *tile, int size) {
  float sum = 0;
  for (int k = 0; k < size; ++k)
    sum += tile[k] * (k % 7 + 1);
  return sum;
}

// Expected: pipelined; a loop over the tile, commits outside.
__device__ void load_row(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 512; i += 256)
    cp_async16(&tile[i], &from[i]);
}
__global__ void in_a_loop(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[512];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_row(tile, x + t * 512);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 512);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; two instances, each commits its own, and one waits.
template <int Rows, int Cols>
__device__ void load_matrix(float (*tile)[Cols], const float *from, int stride) {
#pragma unroll
  for (int i = threadIdx.x; i < Rows * Cols / 4; i += 64) {
    int r = i / (Cols / 4), c = i % (Cols / 4) * 4;
    cp_async16(&tile[r][c], &from[r * stride + c]);
  }
  cp_async_commit();
}
__global__ void two_instances(const float *A, const float *B, float *C, int K) {
  __shared__ __align__(16) float a[16][32];
  __shared__ __align__(16) float b[32][16];
  int row = threadIdx.x / 4, col = threadIdx.x % 4 * 4;
  float acc[4] = {};
  for (int k0 = 0; k0 < K; k0 += 32) {
    load_matrix<16, 32>(a, A + k0, K);
    load_matrix<32, 16>(b, B + k0 * 16, 16);
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] += a[row][k] * b[k][col + j];
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    C[row * 16 + col + j] = acc[j];
}

// Expected: pipelined; the function waits as well, and its threads copy twice.
__device__ void load_and_wait(float *tile, const float *from) {
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(tile + threadIdx.x * 4, from + threadIdx.x * 4, 16);
    __pipeline_memcpy_async(tile + 128 + threadIdx.x * 4, from + 128 + threadIdx.x * 4, 16);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__global__ void waits_inside(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_and_wait(tile, x + t * 256);
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, and as it was: a helper that another one calls has no clone.
__device__ void load_half(float *tile, const float *from) {
  if (threadIdx.x < 32)
    __pipeline_memcpy_async(tile + threadIdx.x * 4, from + threadIdx.x * 4, 16);
}
__device__ void load_both(float *tile, const float *from) {
  load_half(tile, from);
  load_half(tile + 128, from + 128);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__global__ void helper_in_helper(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_both(tile, x + t * 256);
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; what a wrapper asks of constants is decided.
enum class Fill { None, Zero };
template <Fill F, bool Prefetch, class T>
__device__ __forceinline__ void pred_load_128b(T *to, const T *from, bool pred) {
  uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (F == Fill::Zero) {
    int bytes = pred ? 16 : 0;
    if constexpr (Prefetch) {
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(s), "l"(from), "n"(16),
                   "r"(bytes));
    } else {
      asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(s), "l"(from), "n"(16),
                   "r"(bytes));
    }
  } else {
    asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n"
                 " @p cp.async.cg.shared.global [%1], [%2], %3, %4;\n}\n" ::"r"((int)pred),
                 "r"(s), "l"(from), "n"(16), "r"(16));
  }
}
__global__ void decided_by_constants(const float4 *x, float *out, int n) {
  __shared__ float4 tile[64], other[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    int at = i + threadIdx.x;
    pred_load_128b<Fill::Zero, true>(&tile[threadIdx.x], x + (at < n ? at : 0), at < n);
    pred_load_128b<Fill::None, false>(&other[threadIdx.x], x + i + (63 - threadIdx.x) % (n - i), true);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k].x - tile[k].z * other[(k + threadIdx.x) % 64].w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; a member function of an object that knows its matrix.
struct Loader {
  const float *from;
  int stride;
  __device__ void load(float *tile, int t) const {
    for (int r = 0; r < 4; ++r)
      cp_async16(&tile[r * 64 + threadIdx.x % 16 * 4], &from[r * stride + t * 64 + threadIdx.x % 16 * 4]);
  }
};
__global__ void by_member(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  Loader loader{x, n * 64};
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 16)
      loader.load(tile, t);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; one tile is loaded once, in front of the loop.
__device__ void load_slice(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 256; i += 256)
    cp_async16(&tile[i], &from[i]);
  cp_async_commit();
}
__global__ void once_and_in_turns(const float *q, const float *x, float *out, int n) {
  __shared__ __align__(16) float first[256], tile[256];
  load_slice(first, q);
  cp_async_wait<0>();
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_slice(tile, x + t * 256);
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * first[(k + threadIdx.x) % 256];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the function's commit is that of a copy beside it, too.
__device__ void load_and_commit(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 256; i += 256)
    cp_async16(&tile[i], &from[i]);
  cp_async_commit();
}
__global__ void commits_for_another(const float *q, const float *x, float *out, int n) {
  __shared__ __align__(16) float first[256], second[256], tile[256];
  cp_async16(&second[threadIdx.x * 4], &q[threadIdx.x * 4]);
  load_and_commit(first, q);
  cp_async_wait<0>();
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_and_commit(tile, x + t * 256);
    cp_async_wait<0>();
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * first[k] * second[(k + threadIdx.x) % 256];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the same function loads for a loop that is staged by hand,
// which is left alone.
__device__ void load_shared(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 256; i += 256)
    cp_async16(&tile[i], &from[i]);
  cp_async_commit();
}
__global__ void shares_its_helper(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_shared(tile, x + t * 256);
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// Expected: staged by hand.
__global__ void by_hand(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][256];
  float sum = 0;
  load_shared(tile[0], x);
  for (int t = 0; t < n; ++t) {
    load_shared(tile[(t + 1) & 1], x + (t + 1 < n ? t + 1 : 0) * 256);
    cp_async_wait<1>();
    __syncthreads();
    sum += sum_of(tile[t & 1], 256);
    __syncthreads();
  }
  cp_async_wait<0>();
  out[threadIdx.x] = sum;
}

// Expected: refused: what the helper copies last nobody commits in this turn, so
// it may arrive in the next one.
__device__ void load_and_more(float *tile, float *late, const float *from, const float *more, bool last) {
  cp_async16(&tile[threadIdx.x * 4], &from[threadIdx.x * 4]);
  cp_async_commit();
  if (last && threadIdx.x < 16)
    cp_async16(&late[threadIdx.x * 4], &more[threadIdx.x * 4]);
}
__global__ void leaves_a_copy(const float *x, const float *y, float *out, int n) {
  __shared__ __align__(16) float tile[256], late[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_and_more(tile, late, x + t * 256, y, t == n - 1);
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;\n" ::);
  __syncthreads();
  out[threadIdx.x] = n ? sum + late[63 - threadIdx.x] : 0;
}

// Expected: refused: a copy from before the loop is in flight, for which the
// helper's wait waits.
__device__ void load_and_drain(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 256; i += 256)
    cp_async16(&tile[i], &from[i]);
  asm volatile("cp.async.wait_all;\n" ::);
}
__global__ void drains_older(const float *x, const float *y, float *out, int n) {
  __shared__ __align__(16) float tile[256], first[256];
  float sum = 0;
  cp_async16(&first[threadIdx.x * 4], &y[threadIdx.x * 4]);
  for (int t = 0; t < n; ++t) {
    load_and_drain(tile, x + t * 256);
    __syncthreads();
    sum += sum_of(tile, 256) * first[t];
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;\n" ::);
  out[threadIdx.x] = sum;
}

// Expected: refused: the wait leaves a group behind.
__device__ void load_old(float *tile, const float *from) {
  cp_async16(&tile[threadIdx.x * 4], &from[threadIdx.x * 4]);
  cp_async_commit();
}
__global__ void waits_for_others(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_old(tile, x + t * 256);
    cp_async_wait<1>();
    __syncthreads();
    sum += t;
    __syncthreads();
  }
  cp_async_wait<0>();
  out[threadIdx.x] = sum;
}

// Expected: refused: the copy has a cache policy, which kpipe's would not have.
__device__ void load_with_policy(float *tile, const float *from, uint64_t policy) {
  uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[threadIdx.x * 4]));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\n" ::"r"(s),
               "l"(&from[threadIdx.x * 4]), "l"(policy));
}
__global__ void keeps_its_policy(const float *x, float *out, int n, uint64_t policy) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_with_policy(tile, x + t * 256, policy);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a template that nothing instantiates here may be staged.
__device__ void load_named(float *tile, const float *from) {
  for (int i = threadIdx.x * 4; i < 256; i += 256)
    cp_async16(&tile[i], &from[i]);
}
template <int Stages> __global__ void unseen(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[Stages][256];
  load_named(tile[n % Stages], x);
  cp_async_commit();
  cp_async_wait<Stages - 1>();
  out[threadIdx.x] = tile[0][threadIdx.x];
}
__global__ void named_by_a_template(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_named(tile, x + t * 256);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    sum += sum_of(tile, 256);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int), int tile) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * tile + 4), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(in_a_loop) { tiles(in_a_loop, 512); }
CASE(two_instances) {
  for (int k : multiples(32)) {
    auto a = in<float>("A", 16 * k + 4), b = in<float>("B", k * 16 + 4), c = out<float>("C", 256);
    launch({1, 64}, two_instances, a, b, c, k);
  }
}
CASE(waits_inside) { tiles(waits_inside, 256); }
CASE(helper_in_helper) { tiles(helper_in_helper, 256); }
CASE(decided_by_constants) {
  for (int n : sizes(64)) {
    auto x = in<float>("x", n * 4), y = out<float>("out", 64);
    launch({1, 64}, decided_by_constants, x.as<float4>(), y, n);
  }
}
CASE(by_member) { tiles(by_member, 256); }
static void slices(void (*kernel)(const float *, const float *, float *, int)) {
  for (int n : multiples(1)) {
    auto q = in<float>("q", 256), x = in<float>("x", n * 256 + 4), y = out<float>("out", 64);
    launch({1, 64}, kernel, q, x, y, n);
  }
}
CASE(once_and_in_turns) { slices(once_and_in_turns); }
CASE(commits_for_another) { slices(commits_for_another); }
CASE(shares_its_helper) { tiles(shares_its_helper, 256); }
CASE(leaves_a_copy) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), z = in<float>("y", 64), y = out<float>("out", 64);
    launch({1, 64}, leaves_a_copy, x, z, y, n);
  }
}
CASE(drains_older) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), z = in<float>("y", 256), y = out<float>("out", 64);
    launch({1, 64}, drains_older, x, z, y, n);
  }
}
CASE(named_by_a_template) { tiles(named_by_a_template, 256); }
#endif
