// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that fill tiles, for helpers_in_headers.cu.
#pragma once

#define TILE_ELEMENTS 256

// A computed value, which waits in registers.
__device__ inline void doubled(const float *x, float *xs, int k) {
  for (int i = 0; i < 4; ++i)
    xs[i * 64 + threadIdx.x] = 2 * x[k + i * 64 + threadIdx.x];
}

// Words that emission likes, and a macro that stays.
static __device__ __forceinline__ void words(const float *tile, float *part,
                                             int stage) {
  for (int i = threadIdx.x; i < TILE_ELEMENTS; i += 64)
    part[i] = tile[stage + i] + 1;
}

__device__ inline void thrice(const float *x, float *xs, int k) {
  xs[threadIdx.x] = 3 * x[k + threadIdx.x];
}

namespace {
// Nobody else sees it.
__device__ void hidden(const float *from, float *to, int k) {
  to[threadIdx.x] = from[k + threadIdx.x] - 1;
}
} // namespace

namespace tiles {
constexpr int Count = 256, Threads = 64;
using Element = float;
struct Source {
  const Element *Data;
  int First;
};
__device__ inline Element scaled(Element value) { return value * Count; }

template <int N>
__device__ __forceinline__ void fill(const Element *x, Element *xs, int k) {
  for (int i = threadIdx.x; i < N; i += Threads)
    xs[i] = scaled(x[k + i]);
}
template <class T, int N>
static __device__ void copy(const T *__restrict__ from, T (&to)[N], int k,
                            int step = Threads) {
#pragma unroll
  for (int i = 0; i < N / Threads; ++i)
    to[i * Threads + threadIdx.x] = from[k + i * step + threadIdx.x];
}
// Found by its argument.
__device__ inline void from(Source source, Element *to) {
  to[threadIdx.x] = scaled(source.Data[source.First + threadIdx.x]);
}

inline namespace v2 {
__device__ inline void versioned(const Element *x, Element *xs, int k) {
  xs[threadIdx.x] = scaled(x[k + threadIdx.x]);
}
} // namespace v2

__device__ void late(const Element *x, Element *xs, int k);
} // namespace tiles

inline __device__ void tiles::late(const Element *x, Element *xs, int k) {
  xs[threadIdx.x] = x[k + threadIdx.x] / Count;
}

namespace app::detail {
__device__ inline int place(int i) { return i ^ 1; }
__device__ inline void swapped(const float *x, float *xs, int k) {
  xs[place(threadIdx.x)] = x[k + threadIdx.x];
}
} // namespace app::detail
