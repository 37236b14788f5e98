// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batched gather of matrix-vector products, as servers of many LoRA adapters
// make them: each request (blockIdx.y) has weights of its own. A block makes
// one output (blockIdx.x).

constexpr int Tile = 128;

/// The sum over the block, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float partial[Tile / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  for (int i = 1; i < Tile / 32; ++i)
    value += partial[i];
  return value;
}

__global__ void bgmv(float *Y, const float *__restrict__ X,
                     const float *__restrict__ W, const int *__restrict__ which,
                     int feat_in, int feat_out) {
  __shared__ float ws[Tile], xs[Tile];
  const float *w = W + (which[blockIdx.y] * feat_out + blockIdx.x) * feat_in;
  const float *x = X + blockIdx.y * feat_in;
  float y = 0.0f;
  for (int k = 0; k < feat_in; k += Tile) {
    ws[threadIdx.x] = w[k + threadIdx.x];
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    y += ws[threadIdx.x] * xs[threadIdx.x];
    __syncthreads();
  }
  y = block_sum(y);
  if (threadIdx.x == 0)
    Y[blockIdx.y * feat_out + blockIdx.x] = y;
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(bgmv) {
  for (int tiles : {0, 1, 2, 3, 4, 9}) {
    int feat_in = tiles * Tile, feat_out = 3, batch = 4, adapters = 2;
    auto x = in<float>("x", batch * feat_in);
    auto w = in<float>("w", adapters * feat_out * feat_in);
    auto which = in<int>("which", batch, [](int b) { return b * 5 / 2 % 2; });
    auto y = out<float>("y", batch * feat_out);
    launch({dim3(feat_out, batch), dim3(Tile)}, bgmv, y, x, w, which, feat_in,
           feat_out);
  }
}
#endif
