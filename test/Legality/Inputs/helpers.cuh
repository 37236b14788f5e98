// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that fill tiles, for helpers-in-headers.cu.
#pragma once

constexpr int T = 64;

#define STEP 64
__device__ inline void ended_macro(const float *x, float *xs, int k) {
  xs[threadIdx.x % STEP] = 2 * x[k + threadIdx.x];
}
#undef STEP

#define FACTOR 2
__device__ inline void other_macro(const float *x, float *xs, int k) {
  xs[threadIdx.x] = FACTOR * x[k + threadIdx.x];
}

namespace tiles {
__device__ inline float scaled(double value) { return value * 3; }
__device__ inline void overloads(const float *x, float *xs, int k) {
  xs[threadIdx.x] = scaled(x[k + threadIdx.x]);
}
} // namespace tiles

#define DEFINE_LOAD(NAME)                                                      \
  __device__ inline void NAME(const float *x, float *xs, int k) {              \
    xs[threadIdx.x] = x[k + threadIdx.x];                                      \
  }
DEFINE_LOAD(from_macro)

struct Loader {
  const float *x;
  __device__ void load(float *xs, int k) const {
    xs[threadIdx.x] = x[k + threadIdx.x];
  }
  static __device__ void load(const float *x, float *xs, int k) {
    xs[threadIdx.x] = x[k + threadIdx.x];
  }
};

__device__ inline void conditional(const float *x, float *xs, int k) {
#ifdef NEVER
  xs[threadIdx.x] = 0;
#else
  xs[threadIdx.x] = x[k + threadIdx.x];
#endif
}
