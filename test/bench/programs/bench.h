// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the benchmark programs share: inputs that are the same in every run, a
// hash of the output's bits, times. No kernel that is measured is in here.
#ifndef KPIPE_BENCH_H
#define KPIPE_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <kpipe/timing.h>
#include <vector>

namespace bench {

inline void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// A number from 0 to 65535 for each index (a round of the hash Murmur3 ends
/// with).
__host__ __device__ inline unsigned noise(uint64_t i, unsigned seed) {
  uint64_t x = i + seed * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return static_cast<unsigned>(x >> 48);
}

/// Values from -1 to 1, or -64 to 63 for integers.
template <typename T>
__global__ void fill(T *out, size_t size, unsigned seed) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += step) {
    unsigned n = noise(i, seed);
    if (sizeof(T) == 1)
      out[i] = static_cast<T>(static_cast<int>(n % 128) - 64);
    else
      out[i] = static_cast<T>(n / 32768.0f - 1.0f);
  }
}

/// Device memory with values of a seed's own.
template <typename T> T *random(size_t size, unsigned seed) {
  T *data = nullptr;
  check(cudaMalloc(&data, size * sizeof(T)));
  fill<<<1024, 256>>>(data, size, seed);
  check(cudaGetLastError());
  return data;
}

/// Device memory for results, of bytes that no result is likely to have.
template <typename T> T *output(size_t size) {
  T *data = nullptr;
  check(cudaMalloc(&data, size * sizeof(T)));
  check(cudaMemset(data, 0xcd, size * sizeof(T)));
  return data;
}

/// Runs and times launch, BENCH_RUNS times or 15.
template <typename Launch> void run(const char *name, Launch &&launch) {
  const char *asked = std::getenv("BENCH_RUNS");
  int runs = asked ? std::atoi(asked) : 15;
  for (int i = 0; i < runs; ++i)
    kpipe::timed(name, launch);
}

/// Prints a hash of the results' bits (FNV-1a over words of four bytes).
template <typename T> void report(const char *name, const T *data, size_t size) {
  std::vector<uint32_t> bits(size * sizeof(T) / sizeof(uint32_t));
  check(cudaMemcpy(bits.data(), data, bits.size() * sizeof(uint32_t),
                   cudaMemcpyDeviceToHost));
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t word : bits)
    hash = (hash ^ word) * 0x100000001b3ull;
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

} // namespace bench

#endif // KPIPE_BENCH_H
