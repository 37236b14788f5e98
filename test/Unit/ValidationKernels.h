// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels whose results ValidationTest.cpp changes.
#ifndef KPIPE_TEST_UNIT_VALIDATIONKERNELS_H
#define KPIPE_TEST_UNIT_VALIDATIONKERNELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace kpipe {

inline constexpr char Kernel[] = R"(
constexpr int T = 16;
__device__ int other;
template <int N> __device__ float weight(int i, int j) { return i * N + j; }
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, const float *__restrict__ z,
  float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  __shared__ float zs[T];
  float sum = 0, last = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    zs[threadIdx.x] = i + threadIdx.x < m ? z[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight<3>(i, j) - zs[j] * n;
    last = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum + last;
}
)";

/// Two variables in the header, a helper that stores, branches that store, a
/// pointer that only the load advances, and a call that is counted.
inline constexpr char Mixed[] = R"(
constexpr int T = 16;
__device__ int other;
template <int N>
__device__ void put(float (&to)[T], const float *x, int i) {
  to[threadIdx.x] = x[i + threadIdx.x];
}
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, const float *__restrict__ z,
  float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  __shared__ float zs[T];
  float sum = 0;
  const float *at = z;
  for (int i = 0, c = 0; i < n; i += T, ++c) {
    put<3>(xs, x, i);
    if (threadIdx.x < m)
      zs[threadIdx.x] = at[c * T + threadIdx.x];
    else
      zs[threadIdx.x] = 2.0f;
    at += T;
    __nanosleep(20);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * zs[j] * c;
    sum += 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
)";

/// Staged variables that are no arrays: without a reference to its stage, each
/// would be a copy of one.
inline constexpr char Single[] = R"(
constexpr int T = 16;
struct Pair { float a[2]; };
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, const Pair *__restrict__ z,
  float *__restrict__ y, int n) {
  __shared__ float scale;
  __shared__ Pair pair;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x == 0) {
      scale = x[i];
      pair = z[i];
    }
    __syncthreads();
    sum += scale * pair.a[1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
)";

/// Copies in branches, which have the registers of each other, and one beside.
inline constexpr char Branching[] = R"(
constexpr int T = 16;
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, const float *__restrict__ z,
  float *__restrict__ y, int n, int m) {
  __shared__ float xs[2 * T];
  __shared__ float zs[2 * T];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int a = 0; a < 2; ++a)
      if (a == m)
        xs[a * T + t] = x[i + t] * 2;
      else
        xs[a * T + (t ^ 1)] = x[i + t] * 3;
    for (int b = 0; b < 2; ++b)
      zs[b * T + t] = z[i + t] * 4;
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * zs[j ^ 3];
    __syncthreads();
  }
  y[t] = sum;
}
)";

/// A helper that is called twice.
inline constexpr char Twice[] = R"(
constexpr int T = 16;
__device__ void put(float (&to)[T], const float *x, int i) {
  to[threadIdx.x] = x[i + threadIdx.x] * 2;
}
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, const float *__restrict__ z,
  float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ float zs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    put(xs, x, i);
    put(zs, z, i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1] - zs[threadIdx.x ^ 2];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
)";

/// A condition that steps.
inline constexpr char Stepping[] = R"(
constexpr int T = 16;
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; n-- > 0; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
)";

/// A tile of a size that only the run knows.
inline constexpr char Limited[] = R"(
constexpr int T = 16;
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[3 * T];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += m) {
    for (int a = t; a < m; a += T)
      xs[a] = x[i + a] * 2;
    __syncthreads();
    for (int j = 0; j < m; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[t] = sum;
}
)";

/// The condition steps the variable, and asks for it before the step.
inline constexpr char AskedBefore[] = R"(
constexpr int T = 16;
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float sum = 0;
  while (n--) {
    xs[t] = x[n * T + t];
    __syncthreads();
    sum += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + n;
}
)";

/// A copy that is filled where its guard fails.
inline std::string filled(llvm::StringRef With) {
  return (R"(
constexpr int T = 16;
__device__ float make_other(float v) { return v + 1; }
__global__ void __launch_bounds__(T)
k(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < m ? x[i + threadIdx.x] : )" +
          With + R"(;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
)").str();
}

} // namespace kpipe

#endif // KPIPE_TEST_UNIT_VALIDATIONKERNELS_H
