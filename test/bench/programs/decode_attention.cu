// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One query of each of many heads against its cache of keys and values, 16-bit
// floats: a block a head, 32 keys a tile, a warp has eight of them at a time.
#include "bench.h"
#include <cuda_fp16.h>

constexpr int D = 128, Keys = 32, Threads = 128;

__global__ void __launch_bounds__(Threads)
decode(const half *__restrict__ q, const half *__restrict__ keys,
       const half *__restrict__ values, float *__restrict__ out, int length) {
  __shared__ __align__(16) half ks[Keys][D];
  __shared__ __align__(16) half vs[Keys][D];
  __shared__ float scores[Keys];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const size_t cache = size_t(blockIdx.x) * length * D;
  float own[4];
  for (int i = 0; i < 4; ++i)
    own[i] = __half2float(q[size_t(blockIdx.x) * D + lane * 4 + i]) * 0.0883883f;

  float most = -1e30f, sum = 0.0f, o = 0.0f;
  for (int first = 0; first < length; first += Keys) {
#pragma unroll
    for (int i = tid; i < Keys * D / 8; i += Threads) {
      const int r = i / (D / 8), c = i % (D / 8) * 8;
      *reinterpret_cast<uint4 *>(&ks[r][c]) =
          *reinterpret_cast<const uint4 *>(&keys[cache + size_t(first + r) * D + c]);
      *reinterpret_cast<uint4 *>(&vs[r][c]) =
          *reinterpret_cast<const uint4 *>(&values[cache + size_t(first + r) * D + c]);
    }
    __syncthreads();
    for (int k = warp; k < Keys; k += 4) {
      float dot = 0.0f;
      for (int i = 0; i < 4; ++i)
        dot = fmaf(own[i], __half2float(ks[k][lane * 4 + i]), dot);
      for (int step = 16; step; step /= 2)
        dot += __shfl_xor_sync(0xffffffff, dot, step);
      if (lane == 0)
        scores[k] = dot;
    }
    __syncthreads();
    float now = most;
    for (int k = 0; k < Keys; ++k)
      now = fmaxf(now, scores[k]);
    const float keep = __expf(most - now);
    sum *= keep;
    o *= keep;
    for (int k = 0; k < Keys; ++k) {
      const float weight = __expf(scores[k] - now);
      sum += weight;
      o = fmaf(weight, __half2float(vs[k][tid]), o);
    }
    most = now;
    __syncthreads();
  }
  out[size_t(blockIdx.x) * D + tid] = sum > 0.0f ? o / sum : 0.0f;
}

int main() {
  const int heads = bench::size(1024), length = bench::tiled(1024, Keys);
  half *q = bench::random<half>(size_t(heads) * D, 1);
  half *keys = bench::random<half>(size_t(heads) * (length + 1) * D, 2);
  half *values = bench::random<half>(size_t(heads) * (length + 1) * D, 3);
  float *out = bench::output<float>(size_t(heads) * D);
  bench::run("decode_attention", [&] {
    decode<<<heads, Threads>>>(q, keys, values, out, length);
  });
  bench::report("out", out, size_t(heads) * D);
}
