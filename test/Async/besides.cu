// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies in macros, functions and conversions that do something
// besides. Expected: what they do besides is done as often as before, or the loop
// is refused.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#define READY()                                                                                    \
  __pipeline_commit();                                                                             \
  __pipeline_wait_prior(0)

// The tile's sum, in a function of its own: only the loads differ.
__device__ float sum_of(const float *tile) {
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tile[k] * (k + 1);
  return sum;
}

// Expected: refused; the macro counts.
#define COUNTED(d, s)                                                                              \
  do {                                                                                             \
    copies++;                                                                                      \
    __pipeline_memcpy_async(d, s, 4);                                                              \
  } while (0)
__global__ void counts_in_macro(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int copies = 0;
  for (int t = 0; t < n; ++t) {
    COUNTED(&tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum + copies;
}

// Expected: refused; the macro asks first.
#define SOME(d, s)                                                                                 \
  if (threadIdx.x < 16)                                                                            \
  __pipeline_memcpy_async(d, s, 16)
__global__ void asks_in_macro(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    SOME(&tile[threadIdx.x * 4], &x[t * 64 + threadIdx.x * 4]);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; two operations and nothing else.
#define COPY_AND_COMMIT(d, s)                                                                      \
  __pipeline_memcpy_async(d, s, 4);                                                                \
  __pipeline_commit()
__global__ void two_in_macro(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    COPY_AND_COMMIT(&tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the function calls another one on the way, and still
// does: its copy becomes plain where it stands.
__device__ int bump(int &calls) { return ++calls; }
__device__ void copy_and_bump(float *to, const float *from, int &calls) {
  int before = bump(calls);
  __pipeline_memcpy_async(to, from, 4);
}
__global__ void counts_in_helper(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int calls = 0;
  for (int t = 0; t < n; ++t) {
    copy_and_bump(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], calls);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum + calls;
}

// Expected: pipelined; an argument that nothing is made of counts, and the call
// stays for that.
__device__ void commit(int stage) { __pipeline_commit(); }
__global__ void counts_in_argument(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int calls = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    commit(++calls);
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum + calls;
}

// Expected: refused; the source moves on also where zeros are filled in.
__global__ void counts_in_source(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int turn = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[turn++ * 64 + threadIdx.x], 4, t % 2 ? 4 : 0);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum + turn;
}

// Expected: refused; one source is given to two copies, and moves on once.
__device__ void copy_twice(float *a, float *b, const float *from) {
  __pipeline_memcpy_async(a, from, 4);
  __pipeline_memcpy_async(b, from, 4);
}
__global__ void source_for_two(const float *x, float *out, int n) {
  __shared__ float tile[64], other[64];
  const float *from = x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    copy_twice(&tile[threadIdx.x], &other[threadIdx.x], from++);
    from += 63;
    READY();
    __syncthreads();
    sum += sum_of(tile) * other[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; of 256 a char keeps nothing.
__device__ void copy_if(float *to, const float *from, unsigned char keep) {
  __pipeline_memcpy_async(to, from, 4, keep ? 0 : 4);
}
__global__ void narrow_condition(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    copy_if(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], t * 128);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; what decides has changed since.
__global__ void decided_before(const float *x, float *out, int n) {
  __shared__ float tile[64];
  int at = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const int zeros = at < n * 64 - 70 ? 0 : 4;
    at += 64;
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4, zeros);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; the helper's first wait is that for its caller's copy.
__device__ float tiles_of(float *tile, const float *x, int n) {
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    READY();
    __syncthreads();
    sum += sum_of(tile);
    __syncthreads();
  }
  return sum;
}
__global__ void callers_copy(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  float sum = tiles_of(tile, x, n + 1);
  out[threadIdx.x] = sum + weights[63 - threadIdx.x];
}

// Expected: refused; the helper's pointer is to the second base, which is not at
// the object's begin.
struct First {
  int4 a;
};
struct Second {
  int4 b;
};
struct Both : First, Second {};
__device__ void copy_second(Second *to, const Second *from) {
  __pipeline_memcpy_async(to, from, 16);
}
__global__ void to_a_base(const Both *x, float *out, int n) {
  __shared__ Both tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    copy_second(&tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    READY();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k].b.y;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define TILES(Kernel)                                                                              \
  CASE(Kernel) {                                                                                   \
    for (int n : multiples(1)) {                                                                   \
      auto x = in<float>("x", n * 64 + 64), y = out<float>("out", 64);                             \
      launch({1, 64}, Kernel, x, y, n);                                                            \
    }                                                                                              \
  }
TILES(counts_in_macro)
TILES(asks_in_macro)
TILES(two_in_macro)
TILES(counts_in_helper)
TILES(counts_in_argument)
TILES(counts_in_source)
TILES(source_for_two)
TILES(narrow_condition)
TILES(decided_before)
TILES(callers_copy)
CASE(to_a_base) {
  for (int n : multiples(1)) {
    auto x = in<int>("x", n * 64 * 8);
    auto y = out<float>("out", 64);
    launch({1, 64}, to_a_base, (const Both *)(const int *)x, y, n);
  }
}
#endif
