// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every name that kpipe's output would like to use is a macro of the user's:
// those inside the runtime's primitives and those of the emitted code. Only
// what the output calls by name has to stay free (kpipe, commit, copy_async…).
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --inline-runtime -o %t.inline.cu
// RUN: %clangxx -x cuda --cuda-device-only --cuda-gpu-arch=sm_86 -nocudainc -nocudalib \
// RUN:   -isystem %source-dir/lib/Frontend/declarations -include __kpipe_cuda_runtime.h \
// RUN:   -Wno-unknown-cuda-version -fsyntax-only %t.inline.cu

// Words of the runtime's headers as they were, and as others write them.
#define T float
#define N 64
#define S 2
#define A 7
#define B 8
#define M 9
#define Stages 2
#define Bytes 4
#define Count 5
#define Begin (
#define End )
#define Step 3
#define Parameters void
#define a 1
#define p (2)
#define bytes 4
#define dst 1
#define src 1
#define valid false
#define begin {
#define end }
#define step 0
#define kernel extern
#define min(x, y) x
#define max(x, y) y

// Words of the emitted code.
#define stage 1
#define slot 2
#define next 3
#define tile 4
#define part 5
#define more 6
#define stage_bytes 7
#define next_tile 8
#define has_tile 9
#define load_tile 10
#define fetch_tile 11
#define store_tile 12
#define compute_tile 13
#define xs_stages 14
#define xs_reg 15
#define i_ahead 16
#define ahead_i 17
#define x_ahead 18
#define trips 19
#define count 20
#define staged_shared 21
#define staged_shared_bytes 22

// How loops are unrolled: kpipe adds no pragma of its own.
#define UNROLL _Pragma("unroll")

// Pure copies: asynchronous.
__global__ void __launch_bounds__(N)
copied(const T *__restrict__ x, T *__restrict__ y, int n) {
  __shared__ T xs[N];
  T sum = 0;
  for (int i = 0; i < n; i += N) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += xs[j] * T(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// With zero fill at the rim.
__global__ void __launch_bounds__(N)
filled(const T *__restrict__ x, T *__restrict__ y, int n) {
  __shared__ T xs[N];
  T sum = 0;
  for (int i = 0; i < n; i += N) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += xs[j] * T(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through registers, in parts.
__global__ void __launch_bounds__(N)
scaled(const T *__restrict__ x, T *__restrict__ y, int n) {
  __shared__ T xs[2 * N];
  T sum = 0;
  for (int i = 0; i < n; i += 2 * N) {
    UNROLL
    for (int j = threadIdx.x; j < 2 * N; j += N)
      xs[j] = 2 * x[i + j];
    __syncthreads();
    for (int j = 0; j < 2 * N; ++j)
      sum += xs[j] * T(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A while loop, and a pointer that the body moves.
__global__ void __launch_bounds__(N)
moved(const T *__restrict__ x, T *__restrict__ y, int n) {
  __shared__ T xs[N];
  T sum = 0;
  int i = 0;
  while (i < n) {
    xs[threadIdx.x] = x[threadIdx.x];
    x += N;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += xs[j] * T(threadIdx.x ^ j);
    i += N;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#undef T
#undef N
#undef S
#undef A
#undef B
#undef M
#undef Stages
#undef Bytes
#undef Count
#undef Begin
#undef End
#undef Step
#undef Parameters
#undef a
#undef p
#undef bytes
#undef dst
#undef src
#undef valid
#undef begin
#undef end
#undef step
#undef kernel
#undef min
#undef max
#undef stage
#undef slot
#undef next
#undef tile
#undef part
#undef more
#undef trips
#undef count
#include "harness.h"
CASE(copied) {
  for (int k : sizes(64)) {
    auto X = in<float>("x", k + 64);
    auto Y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, copied, X, Y, k);
  }
}
CASE(filled) {
  for (int k : sizes(64)) {
    auto X = in<float>("x", k + 64);
    auto Y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, filled, X, Y, k);
  }
}
CASE(scaled) {
  for (int k : sizes(128)) {
    auto X = in<float>("x", k + 128);
    auto Y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, scaled, X, Y, k);
  }
}
CASE(moved) {
  for (int k : sizes(64)) {
    auto X = in<float>("x", k + 64);
    auto Y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, moved, X, Y, k);
  }
}
#endif
