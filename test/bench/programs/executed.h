// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench.h for the executor (test/Execution), which runs kernels without a GPU:
// the program's main is a case, run on small sizes and once for each trip count
// at which pipelines go wrong. The harness compares what it writes.
#ifndef KPIPE_BENCH_EXECUTED_H
#define KPIPE_BENCH_EXECUTED_H

#include "harness.h"
#include <algorithm>
#include <vector>

int main();

namespace bench {

/// The trip count of the current run of main.
inline int trips = 0;

/// What main has allocated; the harness records a buffer when it is released.
struct Kept {
  void *buffer;
  void (*release)(void *);
};
inline std::vector<Kept> kept;

inline void check(cudaError_t) {}
inline int size(int usual) { return std::min(usual / 32, 512); }
inline int tiled(int, int tile) { return trips * tile; }
inline int multiprocessors() { return 2; }

template <typename T>
T *allocate(const char *name, const std::vector<T> &contents) {
  auto *buffer =
      new harness::Buffer<T>(name, contents.data(), contents.size());
  kept.push_back({buffer, [](void *buffer) {
                    delete static_cast<harness::Buffer<T> *>(buffer);
                  }});
  return *buffer;
}

template <typename T> T *random(size_t size, unsigned seed) {
  std::vector<T> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = harness::value<T>(i, seed);
  return allocate("input", values);
}

template <typename T> T *output(size_t size) {
  return allocate("output", std::vector<T>(size));
}

template <typename Launch> void run(const char *, Launch &&launch) { launch(); }
template <typename T> void report(const char *, const T *, size_t) {}

} // namespace bench

CASE(program) {
  for (int trips : multiples(1)) {
    bench::trips = trips;
    main();
    for (const bench::Kept &one : bench::kept)
      one.release(one.buffer);
    bench::kept.clear();
  }
}

#endif // KPIPE_BENCH_EXECUTED_H
