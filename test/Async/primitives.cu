// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that arrive by __pipeline_memcpy_async and are waited for at once. What
// kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#define CEIL_DIV(x, y) (((x) + (y) - 1) / (y))

// Expected: pipelined, both tiles by cp.async of 16 bytes.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
    sgemm_float4(int M, int N, int K, const float *A, const float *B, float *C) {
  __shared__ __align__(16) float As[BM * BK];
  __shared__ __align__(16) float Bs[BK * BN];
  const int tid = threadIdx.x;
  const int row = tid / (BN / TN) * TM, col = tid % (BN / TN) * TN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const int a_row = tid / (BK / 4), a_col = tid % (BK / 4) * 4;
  const int b_row = tid / (BN / 4), b_col = tid % (BN / 4) * 4;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    __pipeline_memcpy_async(&As[a_row * BK + a_col], &A[a_row * K + a_col], 16);
    __pipeline_memcpy_async(&Bs[b_row * BN + b_col], &B[b_row * N + b_col], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    A += BK;
    B += BK * N;
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += As[(row + i) * BK + k] * Bs[k * BN + col + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(row + i) * N + col + j] = acc[i][j];
}

// Expected: pipelined; the last tile's missing elements are zeros, by zfill.
__global__ void gemm_partial(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < CEIL_DIV(K, 16); ++t) {
    int ka = t * 16 + tx, kb = t * 16 + ty;
    bool in_a = row < M && ka < K, in_b = kb < K && col < N;
    __pipeline_memcpy_async(&a[ty][tx], in_a ? &A[row * K + ka] : A, sizeof(float),
                            in_a ? 0 : sizeof(float));
    __pipeline_memcpy_async(&b[ty][tx], in_b ? &B[kb * N + col] : B, sizeof(float),
                            in_b ? 0 : sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// Expected: pipelined; each copy is a group of its own, all are drained.
__global__ void commit_per_copy(const double *x, double *out, int n) {
  __shared__ double tile[4][64];
  double sum = 0;
  for (int i = 0; i < n; i += 256) {
    for (int j = 0; j < 4; ++j) {
      __pipeline_memcpy_async(&tile[j][threadIdx.x], &x[i + j * 64 + threadIdx.x], 8);
      __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[threadIdx.x & 3][k] * (k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; B is loaded and converted, so it goes by registers, A by
// cp.async.
__global__ void mixed_with_plain(const float *A, const half *B, float *out, int n) {
  __shared__ __align__(16) float a[256];
  __shared__ float b[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&a[threadIdx.x * 4], &A[t * 256 + threadIdx.x * 4], sizeof(float4));
    b[threadIdx.x] = __half2float(B[t * 64 + threadIdx.x]) * 0.5f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += a[(threadIdx.x + k) % 256] * b[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined. A quarter of the block copies, commits and waits; the
// others have no copies to wait for, and all meet at the barrier.
__global__ void guarded_gemv(const float *A, const float *x, float *y, int rows, int n) {
  __shared__ __align__(16) float xs[64];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < n; j += 64) {
    if (threadIdx.x < 16) {
      __pipeline_memcpy_async(&xs[threadIdx.x * 4], &x[j + threadIdx.x * 4], 16);
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    if (row < rows)
      for (int k = 0; k < 64; ++k)
        sum += A[row * n + j + k] * xs[k];
    __syncthreads();
  }
  if (row < rows)
    y[row] = sum;
}

// Expected: pipelined; the tile is a struct of float4, as in n-body codes.
__global__ void nbody(const float4 *bodies, float4 *accel, int n) {
  __shared__ float4 shared_bodies[64];
  float4 me = bodies[blockIdx.x * 64 + threadIdx.x];
  float3 acc = {0, 0, 0};
  for (int tile = 0; tile < n / 64; ++tile) {
    __pipeline_memcpy_async(&shared_bodies[threadIdx.x], &bodies[tile * 64 + threadIdx.x],
                            sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 64; ++j) {
      float4 other = shared_bodies[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float w = other.w / (dx * dx + dy * dy + dz * dz + 1.0f);
      acc.x += dx * w;
      acc.y += dy * w;
      acc.z += dz * w;
    }
    __syncthreads();
  }
  accel[blockIdx.x * 64 + threadIdx.x] = make_float4(acc.x, acc.y, acc.z, 0);
}

// Expected: pipelined; each tile is drained by itself, and the first wait guards
// nothing.
__global__ void two_drains(const int *x, int *out, int n) {
  __shared__ int a[64], b[64];
  int sum = 0;
  for (int i = 0; i < n; i += 64) {
    __pipeline_memcpy_async(&a[threadIdx.x], &x[i + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __pipeline_memcpy_async(&b[threadIdx.x], &x[n + i + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += a[k] * b[(k + threadIdx.x) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: staged by hand. The next tile's copies are in flight while this one
// is computed.
__global__ void by_hand_two_buffers(const float *x, float *out, int n) {
  __shared__ float tile[2][64];
  float sum = 0;
  if (n > 0)
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n)
      __pipeline_memcpy_async(&tile[(t + 1) & 1][threadIdx.x], &x[(t + 1) * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[t & 1][k] * (k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: staged by hand, with one buffer: the copies of the next tile are in
// flight across the loop's end.
__global__ void by_hand_at_the_end(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  if (n > 0)
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int t = 0; t < n; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    float mine[64];
    for (int k = 0; k < 64; ++k)
      mine[k] = tile[k];
    __syncthreads();
    if (t + 1 < n)
      __pipeline_memcpy_async(&tile[threadIdx.x], &x[(t + 1) * 64 + threadIdx.x], 4);
    __pipeline_commit();
    for (int k = 0; k < 64; ++k)
      sum += mine[k] * (k + 1);
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a copy from in front of the loop is in flight when it begins,
// and the first tile's wait is the wait for that one, too.
__global__ void older_group_in_flight(const float *w, const float *x, float *out, int n) {
  __shared__ float weights[64], tile[64];
  float sum = 0;
  __pipeline_memcpy_async(&weights[threadIdx.x], &w[threadIdx.x], 4);
  __pipeline_commit();
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * weights[k];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_float4) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 64 * k), b = in<float>("B", k * 64);
    auto c = out<float>("C", 64 * 64);
    launch({1, 256}, sgemm_float4<64, 64, 16, 4, 4>, 64, 64, k, a, b, c);
  }
}
CASE(gemm_partial) {
  for (int k : sizes(16)) {
    auto a = in<float>("A", 20 * k), b = in<float>("B", k * 18);
    auto c = out<float>("C", 20 * 18);
    launch({dim3(2, 2), dim3(16, 16)}, gemm_partial, a, b, c, 20, 18, k);
  }
}
CASE(commit_per_copy) {
  for (int n : multiples(256)) {
    auto x = in<double>("x", n), y = out<double>("out", 64);
    launch({1, 64}, commit_per_copy, x, y, n);
  }
}
CASE(mixed_with_plain) {
  for (int n : multiples(1)) {
    auto a = in<float>("A", n * 256);
    auto b = in<half>("B", n * 64);
    auto y = out<float>("out", 64);
    launch({1, 64}, mixed_with_plain, a, b, y, n);
  }
}
CASE(guarded_gemv) {
  for (int n : multiples(64)) {
    auto a = in<float>("A", 100 * n), x = in<float>("x", n), y = out<float>("y", 100);
    launch({2, 64}, guarded_gemv, a, x, y, 100, n);
  }
}
CASE(nbody) {
  for (int n : multiples(64)) {
    auto x = in<float>("bodies", n * 4 + 128 * 4), y = out<float>("accel", 128 * 4);
    launch({2, 64}, nbody, x.as<float4>(), y.as<float4>(), n);
  }
}
CASE(two_drains) {
  for (int n : multiples(64)) {
    auto x = in<int>("x", 2 * n), y = out<int>("out", 64);
    launch({1, 64}, two_drains, x, y, n);
  }
}
static void tiles(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(by_hand_two_buffers) { tiles(by_hand_two_buffers); }
CASE(by_hand_at_the_end) { tiles(by_hand_at_the_end); }
CASE(older_group_in_flight) {
  for (int n : multiples(1)) {
    auto w = in<float>("w", 64), x = in<float>("x", n * 64), y = out<float>("out", 64);
    launch({1, 64}, older_group_in_flight, w, x, y, n);
  }
}
#endif
