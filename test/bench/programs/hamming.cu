// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best and second best match of binary descriptors of 256 bits by popcount: a query
// a thread, 128 descriptors a tile, blocks of 64.
#include "bench.h"

struct alignas(16) Descriptor {
  uint4 lo, hi;
};

__device__ __forceinline__ int distance(const Descriptor &a, const Descriptor &b) {
  return __popc(a.lo.x ^ b.lo.x) + __popc(a.lo.y ^ b.lo.y) + __popc(a.lo.z ^ b.lo.z) +
         __popc(a.lo.w ^ b.lo.w) + __popc(a.hi.x ^ b.hi.x) + __popc(a.hi.y ^ b.hi.y) +
         __popc(a.hi.z ^ b.hi.z) + __popc(a.hi.w ^ b.hi.w);
}

template <int BLOCK_SIZE, int MAX_DESC>
__global__ void match(const Descriptor *query, const Descriptor *train, int nTrain,
                      int2 *bestTrainIdx, int2 *bestDistance) {
  __shared__ Descriptor s_train[MAX_DESC];

  const int queryIdx = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  const Descriptor mine = query[queryIdx];

  int2 dist = make_int2(1 << 20, 1 << 20), idx = make_int2(-1, -1);
  for (int t = 0, n = nTrain / MAX_DESC; t < n; ++t) {
#pragma unroll
    for (int i = 0; i < MAX_DESC; i += BLOCK_SIZE)
      s_train[i + threadIdx.x] = train[t * MAX_DESC + i + threadIdx.x];
    __syncthreads();

    for (int j = 0; j < MAX_DESC; ++j) {
      const int d = distance(mine, s_train[j]);
      if (d < dist.x) {
        dist = make_int2(d, dist.x);
        idx = make_int2(t * MAX_DESC + j, idx.x);
      } else if (d < dist.y) {
        dist.y = d;
        idx.y = t * MAX_DESC + j;
      }
    }
    __syncthreads();
  }
  bestTrainIdx[queryIdx] = idx;
  bestDistance[queryIdx] = dist;
}

int main() {
  const int queries = bench::size(1 << 15), trained = bench::tiled(1 << 13, 128);
  auto *q = bench::random<signed char>(size_t(queries) * sizeof(Descriptor), 1);
  auto *t = bench::random<signed char>(size_t(trained + 1) * sizeof(Descriptor), 2);
  int *index = bench::output<int>(queries * 2), *dist = bench::output<int>(queries * 2);
  bench::run("hamming", [&] {
    match<64, 128><<<queries / 64, 64>>>(
        reinterpret_cast<Descriptor *>(q), reinterpret_cast<Descriptor *>(t), trained,
        reinterpret_cast<int2 *>(index), reinterpret_cast<int2 *>(dist));
  });
  bench::report("index", index, queries * 2);
  bench::report("dist", dist, queries * 2);
}
