// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../attention.cu with memcpy_async of the block, waited for at once: 64 numbers a head, a query a thread,
// 32 keys and values a tile.
#include "bench.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

constexpr int D = 64, Keys = 32, Threads = 128;

__global__ void __launch_bounds__(Threads)
attention(const float *__restrict__ Q, const float *__restrict__ K,
          const float *__restrict__ V, float *__restrict__ O, int length) {
  __shared__ __align__(16) float Ks[Keys][D];
  __shared__ __align__(16) float Vs[Keys][D];
  const int tid = threadIdx.x;
  auto block = cg::this_thread_block();
  const size_t head = size_t(blockIdx.y) * length * D;
  const size_t mine = head + size_t(blockIdx.x * Threads + tid) * D;

  float q[D], o[D] = {}, most = -1e30f, sum = 0.0f;
#pragma unroll
  for (int d = 0; d < D; ++d)
    q[d] = Q[mine + d] * 0.125f;

  for (int first = 0; first < length; first += Keys) {
    cg::memcpy_async(block, &Ks[0][0], &K[head + first * D],
                     cuda::aligned_size_t<16>(sizeof(Ks)));
    cg::memcpy_async(block, &Vs[0][0], &V[head + first * D],
                     cuda::aligned_size_t<16>(sizeof(Vs)));
    cg::wait(block);
    for (int k = 0; k < Keys; ++k) {
      float score = 0.0f;
#pragma unroll
      for (int d = 0; d < D; ++d)
        score += q[d] * Ks[k][d];
      float now = fmaxf(most, score);
      float keep = __expf(most - now), weight = __expf(score - now);
      sum = sum * keep + weight;
      most = now;
#pragma unroll
      for (int d = 0; d < D; ++d)
        o[d] = o[d] * keep + weight * Vs[k][d];
    }
    __syncthreads();
  }

#pragma unroll
  for (int d = 0; d < D; ++d)
    O[mine + d] = o[d] / sum;
}

int main() {
  const int heads = bench::size(16), length = bench::size(4096);
  const int size = heads * length * D;
  float *Q = bench::random<float>(size, 1);
  float *K = bench::random<float>(size, 2);
  float *V = bench::random<float>(size, 3);
  float *O = bench::output<float>(size);
  bench::run("attention", [&] {
    attention<<<dim3(length / Threads, heads), Threads>>>(Q, K, V, O, length);
  });
  bench::report("O", O, size);
}
