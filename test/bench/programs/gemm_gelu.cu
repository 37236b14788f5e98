// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer with its activation, Y = GELU(X * W + b), float: block tiles of 64 x 64 x 32
// and 128 threads with 8 x 4 elements each.
#include "bench.h"

#define BLOCK_M 64
#define BLOCK_N 64
#define BLOCK_K 32
#define NUM_THREADS 128
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FLOAT4(p) (reinterpret_cast<float4 *>(&(p))[0])
#define CONST_FLOAT4(p) (reinterpret_cast<const float4 *>(&(p))[0])

__device__ inline float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__global__ void linear_gelu(const float *__restrict__ X, const float *__restrict__ W,
                            const float *__restrict__ bias, float *__restrict__ Y, int M,
                            int N, int K) {
  __shared__ float s_x[BLOCK_M][BLOCK_K + 4];
  __shared__ float s_w[BLOCK_K][BLOCK_N];
  const int tid = threadIdx.x;
  const int bm = blockIdx.y * BLOCK_M, bn = blockIdx.x * BLOCK_N;
  const int tm = (tid / 16) * 8, tn = (tid % 16) * 4;

  float r[8][4];
#pragma unroll
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++)
      r[i][j] = 0.0f;

  for (int k = 0; k < K; k += BLOCK_K) {
#pragma unroll
    for (int i = 0; i < BLOCK_M * BLOCK_K / 4 / NUM_THREADS; i++) {
      int v = tid + i * NUM_THREADS;
      FLOAT4(s_x[v / 8][v % 8 * 4]) =
          CONST_FLOAT4(X[OFFSET(bm + v / 8, k + v % 8 * 4, K)]);
      FLOAT4(s_w[v / 16][v % 16 * 4]) =
          CONST_FLOAT4(W[OFFSET(k + v / 16, bn + v % 16 * 4, N)]);
    }
    __syncthreads();
#pragma unroll 4
    for (int kk = 0; kk < BLOCK_K; kk++) {
      float4 w = FLOAT4(s_w[kk][tn]);
#pragma unroll
      for (int i = 0; i < 8; i++) {
        float x = s_x[tm + i][kk];
        r[i][0] += x * w.x;
        r[i][1] += x * w.y;
        r[i][2] += x * w.z;
        r[i][3] += x * w.w;
      }
    }
    __syncthreads();
  }

  float4 b = CONST_FLOAT4(bias[bn + tn]);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    float4 y = make_float4(gelu(r[i][0] + b.x), gelu(r[i][1] + b.y), gelu(r[i][2] + b.z),
                           gelu(r[i][3] + b.w));
    FLOAT4(Y[OFFSET(bm + tm + i, bn + tn, N)]) = y;
  }
}

int main() {
  const int M = bench::size(2048), N = bench::size(4096);
  const int K = bench::tiled(1024, BLOCK_K);
  float *X = bench::random<float>(M * (K + 1), 1);
  float *W = bench::random<float>(N * (K + 1), 2);
  float *bias = bench::random<float>(N, 3);
  float *Y = bench::output<float>(M * N);
  bench::run("gemm_gelu", [&] {
    linear_gelu<<<dim3(N / BLOCK_N, M / BLOCK_M), NUM_THREADS>>>(X, W, bias, Y, M, N, K);
  });
  bench::report("Y", Y, M * N);
}
