// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many of many keys each query equals, 64-bit integers: 512 keys a tile, a query a
// thread.
#include "bench.h"

constexpr int Keys = 512, Threads = 256;

__global__ void __launch_bounds__(Threads)
count(const uint64_t *__restrict__ queries, const uint64_t *__restrict__ keys,
      unsigned *__restrict__ out, int total) {
  __shared__ uint64_t tile[Keys];
  const int own = blockIdx.x * Threads + threadIdx.x;
  const uint64_t query = queries[own] & 0xffff00000000ull;
  unsigned found = 0;
  for (int base = 0; base < total; base += Keys) {
    tile[threadIdx.x] = keys[base + threadIdx.x];
    tile[threadIdx.x + Threads] = keys[base + threadIdx.x + Threads];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < Keys; ++i)
      found += (tile[i] & 0xffff00000000ull) == query;
    __syncthreads();
  }
  out[own] = found;
}

int main() {
  const int queries = bench::size(1 << 17), total = bench::tiled(1 << 15, Keys);
  float *q = bench::random<float>(size_t(queries) * 2, 1);
  float *k = bench::random<float>(size_t(total + 1) * 2, 2);
  unsigned *out = bench::output<unsigned>(queries);
  bench::run("count_matches", [&] {
    count<<<queries / Threads, Threads>>>(reinterpret_cast<uint64_t *>(q),
                                          reinterpret_cast<uint64_t *>(k), out, total);
  });
  bench::report("out", out, queries);
}
