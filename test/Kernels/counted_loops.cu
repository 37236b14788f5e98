// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that step as they go: counters in front of their loops, steps beside
// the counter's, pointers that a copy moves. They are read as loops that count
// in their headers.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep '/[*]~kpipe' %t.cu
// SAYS-COUNT-16: remark: pipelined K-loop

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

#define COMPUTE                                                                \
  for (int j = 0; j < N; ++j)                                                  \
    acc += s[j] * float(1 + (j + tx) % 3)

#define THREAD                                                                 \
  const int tx = threadIdx.x;                                                  \
  float acc = 0

// CHECK-LABEL: by_while(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void by_while(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    while (i < N) {
      s[i] = A[k + i];
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// CHECK-LABEL: by_while_of_blocks(
// CHECK: // this thread's first one
// CHECK: for (unsigned j = threadIdx.x, part = 0;
// CHECK: j = j + blockDim.x, ++part)
__global__ void by_while_of_blocks(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  int k = 0;
  while (k < K) {
    unsigned j = threadIdx.x; // this thread's first one
    while (j < N)
    {
      const float v = A[k + j];
      s[j] = v * 2 + 1;

      j = j + blockDim.x; // the next one
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    k += N;
  }
  out[tx] = acc;
}

// CHECK-LABEL: in_front(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void in_front(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
#pragma unroll
    for (; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// A loop in a loop, of which either counts so.
// CHECK-LABEL: rows(
// CHECK: for (int r = 0; r < 4; ++r)
// CHECK: for (int c = tx, part = 0;
__global__ void rows(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float t[4][40];
  const float *s = t[0];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int r = 0;
    while (r < 4) {
      int c = tx;
      while (c < 40) {
        t[r][c] = A[k + r * 40 + c];
        c += T;
      }
      ++r;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Bits of a word, which each step moves.
// CHECK-LABEL: unpacked(
// CHECK: for (int j = 0; j < 8; ++j) {
// CHECK-NEXT: = float(bits & 15);
// CHECK-NEXT: bits >>= 4;
// CHECK-NEXT: }
__global__ void unpacked(const unsigned *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[8 * T];
  THREAD;
  for (int k = 0; k < K; k += T) {
    unsigned bits = A[k + tx];
    for (int j = 0; j < 8; ++j, bits >>= 4) s[tx * 8 + j] = float(bits & 15);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// The counter's step is the second one, and there are three.
// CHECK-LABEL: three_steps(
// CHECK: for (int j = 0; j < 2; j++) {
// CHECK: from += T;
// CHECK-NEXT: to += T;
// CHECK-NEXT: }
__global__ void three_steps(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int j = tx; j < N; j += T)
    s[j] = 0;
  __syncthreads();
  for (int k = 0; k < K; k += N) {
    const float *from = A + k + tx;
    float *to = s + tx;
    for (int j = 0; j < 2; from += T, j++, to += T) {
      *to = *from;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// CHECK-LABEL: moved(
// CHECK: for (int i = 0; i < 2; ++i) {
// CHECK: = *from;
// CHECK: ++to;
__global__ void moved(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int j = tx; j < N; j += T)
    s[j] = 0;
  __syncthreads();
  for (int k = 0; k < K; k += N) {
    const float *from = A + k + 2 * tx;
    float *to = s + 2 * tx;
    for (int i = 0; i < 2; ++i)
      *to++ = *from++;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Indices, from the last one on, and a sum in the tile.
// CHECK-LABEL: downwards(
// CHECK: --at;
// CHECK-NEXT: ++from;
__global__ void downwards(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[2 * T];
  THREAD;
  const float *end = A + K;
  for (int k = 0; k < K; k += 2 * T) {
    int at = 2 * tx + 1, from = 0;
    for (int i = 0; i < 2; ++i) {
      s[at--] = end[2 * tx + from++ - k - 2 * T] + 1.f;
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Of two instances.
// CHECK-LABEL: instances(
// CHECK: for (int i = threadIdx.x, part = 0;
template <int M>
__global__ void instances(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[M];
  THREAD;
  for (int k = 0; k < K; k += M) {
    int i = threadIdx.x;
    while (i < M) {
      s[i] = A[k + i];
      i += T;
    }
    __syncthreads();
    for (int j = 0; j < M; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Both arms store.
// CHECK-LABEL: either_way(
// CHECK: for (int i = tx;
__global__ void either_way(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    while (i < N) {
      if (k + i < K)
        s[i] = A[k + i];
      else
        s[i] = 0;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Two counters in a header, of which the condition asks for one.
// CHECK-LABEL: two_counters(
// CHECK: int g = k + tx;
// CHECK: for (int i = tx, part = 0;
// CHECK: g += T;
__global__ void two_counters(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx, g = k + tx; i < N; i += T, g += T)
      s[i] = A[g] * 2;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Declared together, and with others behind.
// CHECK-LABEL: declared_together(
// CHECK: int c = tx % 32;
// CHECK: const int first = k + c;
// CHECK: for (int r = tx / 32, part = 0;
__global__ void declared_together(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float t[5][32];
  const float *s = t[0];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int r = tx / 32, c = tx % 32;
    const int first = k + c;
    while (r < 5) {
      t[r][c] = A[first + r * 32] + 1;
      r += T / 32;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// The header has no step.
// CHECK-LABEL: step_in_body(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void step_in_body(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx; i < N;) {
      s[i] = A[k + i] + 1;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Nor does it begin.
// CHECK-LABEL: only_condition(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void only_condition(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    for (; i < N;) {
      s[i] = A[k + i] + 1;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// What is no copy keeps its loop.
// CHECK-LABEL: computes(
// CHECK: while (j < N) {
__global__ void computes(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    int j = 0;
    while (j < N) {
      acc += s[j] * float(j);
      ++j;
    }
    __syncthreads();
  }
  out[tx] = acc;
}

// The name is another variable's behind the loop.
// CHECK-LABEL: same_name(
// CHECK: acc += float(i);
__global__ void same_name(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  const int i = tx + 7;
  for (int k = 0; k < K; k += N) {
    {
      int i = tx;
      while (i < N) {
        s[i] = A[k + i];
        i += T;
      }
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    acc += float(i);
  }
  out[tx] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : {0, N, 4 * N}) {                                              \
      auto A = in<float>("A", K + N);                                          \
      auto out = harness::out<float>("out", T);                                \
      launch({1, T}, kernel, A, out, K);                                       \
    }                                                                          \
  }
FLAT(by_while)
FLAT(by_while_of_blocks)
FLAT(in_front)
FLAT(rows)
FLAT(three_steps)
FLAT(moved)
FLAT(either_way)
FLAT(two_counters)
FLAT(declared_together)
FLAT(step_in_body)
FLAT(only_condition)
FLAT(computes)
FLAT(same_name)
CASE(unpacked) {
  for (int K : {0, T, 5 * T}) {
    auto A = in<unsigned>("A", K + T);
    auto out = harness::out<float>("out", T);
    launch({1, T}, unpacked, A, out, K);
  }
}
CASE(downwards) {
  for (int K : {0, 2 * T, 6 * T}) {
    auto A = in<float>("A", K + 2 * T);
    auto out = harness::out<float>("out", T);
    launch({1, T}, downwards, A, out, K);
  }
}
CASE(instance) {
  for (int K : {0, 128, 384}) {
    auto A = in<float>("A", K + 128);
    auto out = harness::out<float>("out", T);
    launch({1, T}, instances<128>, A, out, K);
    launch({1, T}, instances<96>, A, out, K);
  }
}
#else
template __global__ void instances<128>(const float *, float *, int);
template __global__ void instances<96>(const float *, float *, int);
void run(const float *A, float *out, int K) { by_while_of_blocks<<<1, T>>>(A, out, K); }
#endif
