// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that begin and end where the block's or the tile's part of the
// input does, and are as long everywhere: the tile of a convolution with its
// halo, filters that run along a signal.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=ldg --stages=3 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// CHECK-COUNT-6: remark: pipelined K-loop: 3 stages of
// RUN: FileCheck %s --input-file=%t.cu --check-prefix=TEXT
// TEXT: float tile_reg{{.*}}[{{.*}}ceil_div(W, T)][{{.*}}ceil_div(W, T)];

#include <cuda_runtime.h>

constexpr int T = 8, R = 2, W = T + 2 * R, B = 32;

// The textbook's: h and w are the thread's own pixel.
template <int K>
__global__ void textbook(const float *x, const float *k, float *__restrict__ y, int C, int H,
                         int wide) {
  constexpr int W = T + K - 1;
  __shared__ float tile[W * W];
  __shared__ float weights[K * K];
  const int across = (wide - K + T) / T;
  const int h0 = threadIdx.y, w0 = threadIdx.x;
  int h_base = (blockIdx.x / across) * T, w_base = (blockIdx.x % across) * T;
  int h = h_base + h0, w = w_base + w0;
  float sum = 0;
  for (int c = 0; c < C; c++) {
    if (h0 < K && w0 < K)
      weights[h0 * K + w0] = k[(c * K + h0) * K + w0];
    for (int i = h; i < h_base + W; i += T)
      for (int j = w; j < w_base + W; j += T)
        if (i < H && j < wide)
          tile[(i - h_base) * W + (j - w_base)] = x[(c * H + i) * wide + j];
        else
          tile[(i - h_base) * W + (j - w_base)] = 0.0f;
    __syncthreads();
    for (int p = 0; p < K; p++)
      for (int q = 0; q < K; q++)
        sum += tile[(h0 + p) * W + w0 + q] * weights[p * K + q];
    __syncthreads();
  }
  y[(blockIdx.x * T + h0) * T + w0] = sum;
}

template __global__ void textbook<5>(const float *, const float *, float *, int, int, int);

// The halo in front of it too, the last place by a name and in the count.
__global__ void around(const float *x, float *__restrict__ y, int C, int H, int wide) {
  __shared__ float tile[W][W];
  const int top = int(blockIdx.y) * T - R, left = int(blockIdx.x) * T - R;
  const int last = top + W - 1, right = left + W - 1;
  float sum = 0;
  for (int c = 0; c < C; ++c) {
    for (int i = top + (int)threadIdx.y; i <= last; i += T)
      for (int j = left + (int)threadIdx.x; j <= right; j += T)
        tile[i - top][j - left] =
            i >= 0 && i < H && j >= 0 && j < wide ? x[(c * H + i) * wide + j] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 2 * R + 1; ++p)
      for (int q = 0; q < 2 * R + 1; ++q)
        sum = sum * 0.5f + tile[threadIdx.y + p][threadIdx.x + q];
    __syncthreads();
  }
  y[((blockIdx.y * gridDim.x + blockIdx.x) * T + threadIdx.y) * T + threadIdx.x] = sum;
}

// Along a signal: the loop begins elsewhere in each tile.
__global__ void along(const float *x, const float *__restrict__ taps, float *__restrict__ y,
                      int n) {
  __shared__ float s[B + 2 * R];
  float sum = 0;
  const int lane = threadIdx.x;
  for (int t = 0; t < n; t += B) {
    for (int i = t + lane; i < t + B + 2 * R; i += B)
      s[i - t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 2 * R + 1; ++j)
      sum = sum * 0.5f + s[lane + j] * taps[j];
    __syncthreads();
  }
  y[lane] = sum;
}

// By names that each turn makes, from a place in front of the tile.
__global__ void named(const float *x, float *__restrict__ y, int n) {
  __shared__ float s[B + 2 * R];
  float sum = 0;
  const int lane = threadIdx.x % B;
  for (int t = 0; t < n; t += B) {
    const int begin = t - R, end = begin + B + 2 * R;
    for (int i = begin + lane; i < end; i += B) {
      const int at = i - begin;
      s[at] = i >= 0 && i < n ? x[i] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < 2 * R + 1; ++j)
      sum = sum * 0.5f + s[lane + j];
    __syncthreads();
  }
  y[lane] = sum;
}

// Rows of an image, every thread its columns; the rows move.
__global__ void bands(const float *x, float *__restrict__ y, int H, int wide) {
  __shared__ float rows[T + 2][B];
  float sum = 0;
  const int ty = threadIdx.y, tx = threadIdx.x;
  for (int top = 0; top < H; top += T) {
    for (int r = top + ty; r < top + T + 2; r += 4)
      rows[r - top][tx] = r < H ? x[r * wide + tx] : 0.0f;
    __syncthreads();
    for (int r = ty; r < T; r += 4)
      sum = sum * 0.5f + rows[r][tx] + rows[r + 1][tx] - rows[r + 2][tx];
    __syncthreads();
  }
  y[ty * B + tx] = sum;
}

// The last tile may be shorter: its end is the lesser of two.
__global__ void shorter(const float *x, float *__restrict__ y, int n) {
  __shared__ float s[B];
  float sum = 0;
  const int lane = threadIdx.x;
  for (int t = 0; t < n; t += B) {
    const int end = min(t + B, n);
    for (int i = t + lane; i < end; i += 16)
      s[i - t] = x[i];
    __syncthreads();
    for (int j = 0; j < B && t + j < n; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[lane] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static const int Lengths[] = {1, 7, 31, 32, 33, 64, 70, 95, 97, 130, 161, 224};
CASE(halo_textbook) {
  for (int c : multiples(1)) {
    int h = 19, w = 13;
    auto x = in<float>("x", c * h * w), k = in<float>("k", c * 25), y = out<float>("y", 4 * 64);
    launch({4, dim3(T, T)}, textbook<5>, x, k, y, c, h, w);
  }
}
CASE(halo_around) {
  for (int c : multiples(1)) {
    int h = 13, w = 14;
    auto x = in<float>("x", c * h * w), y = out<float>("y", 4 * 64);
    launch({dim3(2, 2), dim3(T, T)}, around, x, y, c, h, w);
  }
}
CASE(halo_along) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), taps = in<float>("taps", 2 * R + 1), y = out<float>("y", B);
    launch({1, B}, along, x, taps, y, n);
  }
}
CASE(halo_named) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", B);
    launch({1, B}, named, x, y, n);
  }
}
CASE(halo_bands) {
  for (int h : Lengths) {
    auto x = in<float>("x", h * B), y = out<float>("y", 4 * B);
    launch({1, dim3(B, 4)}, bands, x, y, h, B);
  }
}
CASE(halo_shorter) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 16);
    launch({1, 16}, shorter, x, y, n);
  }
}
#endif
