// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that say what a condition would: loops that a break ends, and copy loops
// that skip elements by a continue. They are read with the condition.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep '/[*]~kpipe' %t.cu
// SAYS-COUNT-14: remark: pipelined K-loop

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int T = 16;

#define COMPUTE                                                                \
  for (int i = 0; i < T; ++i)                                                  \
    acc += s[ty][i] * s[i][tx]

#define THREAD                                                                 \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  float acc = 0

// CHECK-LABEL: endless_for(
// CHECK: if (k < K) {
__global__ void endless_for(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  int k = 0;
  for (;;) {
    if (k >= K)
      break;
    s[ty][tx] = A[ty * K + k + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
    k += T;
  }
  out[ty * T + tx] = acc;
}

// CHECK-LABEL: stepping_for(
// CHECK: for (; k + T != K; k += T) {
__global__ void stepping_for(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  for (int k = 0;; k += T) {
    if (k == K) {
      break; // all are done
    }
    s[ty][tx] = A[ty * K + k + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// CHECK-LABEL: endless_while(
// CHECK: for (; left - T > 0; left -= T) {
__global__ void endless_while(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  int left = K;
  while (true) {
    if (!(left > 0)) break;
    s[ty][tx] = A[ty * K + left - T + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
    left -= T;
  }
  out[ty * T + tx] = acc;
}

// Two conditions; that of the loop is asked first.
// CHECK-LABEL: two_conditions(
// CHECK: for (; k + T < K && !(few && k + T >= 2 * T); k += T) {
__global__ void two_conditions(const float *__restrict__ A, float *__restrict__ out, int K, bool few) {
  __shared__ float s[T][T];
  THREAD;
  for (int k = 0; k < K; k += T) {
    if (few && k >= 2 * T)
      break;
    s[ty][tx] = A[ty * K + k + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// A number that is NaN is neither below nor above: the comparison is negated as
// a whole.
// CHECK-LABEL: by_float(
// CHECK: for (; !(at + T >= end); at += T) {
__global__ void by_float(const float *__restrict__ A, float *__restrict__ out, int K, float end) {
  __shared__ float s[T][T];
  THREAD;
  float at = 0;
  while (1) {
    if (at >= end)
      break;
    s[ty][tx] = A[ty * K + int(at) + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
    at += T;
  }
  out[ty * T + tx] = acc;
}

// The break is asked behind each tile.
// CHECK-LABEL: asked_behind(
// CHECK: for (; k + T < K; k += T) {
__global__ void asked_behind(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  int k = 0;
  while (true) {
    s[ty][tx] = A[ty * K + k + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
    k += T;
    if (k >= K)
      break;
  }
  out[ty * T + tx] = acc;
}

// The condition steps.
// CHECK-LABEL: counted_down(
// CHECK: for (; n != 0; n--) {
__global__ void counted_down(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  int n = K / T;
  for (;;) {
    if (n-- == 0)
      break;
    s[ty][tx] = A[ty * K + n * T + tx];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// Elements beyond the edge are zero.
// CHECK-LABEL: zeros(
// CHECK: if (!(row >= K || row < 0))
// CHECK-NEXT: copy_async({{.*}}, &A[j * K + row]);
// CHECK-NEXT: else
// CHECK-NEXT: {{.*}} = 0;
__global__ void zeros(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  for (int k = 0; k < K; k += T) {
    for (int j = ty; j < T; j += T) {
      const int row = k + tx - 4;
      if (row >= K || row < 0) {
        s[j][tx] = 0;
        continue;
      }
      s[j][tx] = A[j * K + row];
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// Whole vectors, by cp.async.
// CHECK-LABEL: zero_vectors(
// CHECK: kpipe::copy_async
__global__ void __launch_bounds__(T *T)
zero_vectors(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float4 s[2 * T];
  const int t = threadIdx.y * T + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 2 * T) {
#pragma unroll
    for (int j = t; j < 2 * T; j += T * T) {
      if (k + j >= K) {
        s[j] = make_float4(0, 0, 0, 0);
        continue;
      }
      s[j] = ((const float4 *)A)[k + j];
    }
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += s[(t ^ i) % T].x * s[(t + i) % (2 * T)].y;
    __syncthreads();
  }
  out[t] = acc;
}

// Elements that are skipped keep what they have.
// CHECK-LABEL: skipped(
// CHECK: if (at < K)
// CHECK-NEXT: {{.*}}= A[at];
__global__ void skipped(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  s[ty][tx] = 1;
  for (int k = 0; k < K; k += T) {
    for (int j = ty; j < T; j += T) {
      int at = j * T + k + tx;
      if (at >= K)
        continue;
      s[j][tx] = A[at];
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// Two of them, and what is declared between.
// CHECK-LABEL: skipped_twice(
__global__ void skipped_twice(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  for (int k = 0; k < K; k += T) {
    s[ty][tx] = 0;
    for (int j = ty; j < T; j += T) {
      if (j > 13) continue;
      const int at = j * T + k + tx; // where it is
      if (at + 3 >= K) {
        continue;
      }
      float v = A[at + 3];
      s[j][tx] = v * 2;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[ty * T + tx] = acc;
}

// Loops within one another, with tabs.
// CHECK-LABEL: nested(
__global__ void nested(const float *__restrict__ A, float *__restrict__ out, int K) {
	__shared__ float s[T][T];
	THREAD;
	for (int k = 0; k < K; k += T) {
		for (int j = ty; j < T; j += T) {
			if (j == 3) {
				s[j][tx] = -1;
				continue;
			}
			for (int i = tx; i < T; i += T) {
				if (k + i + j >= K) {
					s[j][i] = 0;
					continue;
				}
				s[j][i] = A[k + i + j];
			}
		}
		__syncthreads();
		COMPUTE;
		__syncthreads();
	}
	out[ty * T + tx] = acc;
}

// Both kinds, in instances.
// CHECK-LABEL: instances(
template <int Rows>
__global__ void instances(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[Rows][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  int k = 0;
  while (true) {
    if (k >= K)
      break;
    for (int j = ty; j < Rows; j += T) {
      if (k + tx + j >= K) {
        s[j][tx] = 0;
        continue;
      }
      s[j][tx] = A[k + tx + j];
    }
    __syncthreads();
    for (int i = 0; i < Rows; ++i)
      acc += s[i][tx] * s[i][ty];
    __syncthreads();
    k += T;
  }
  out[ty * T + tx] = acc;
}

// Asynchronous copies that are waited for at once.
// CHECK-LABEL: asynchronous(
__global__ void asynchronous(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T][T];
  THREAD;
  int k = 0;
  for (;;) {
    if (k >= K) break;
    for (int j = ty; j < T; j += T) {
      if (k + tx + j >= K) {
        s[j][tx] = 0;
        continue;
      }
      __pipeline_memcpy_async(&s[j][tx], &A[k + tx + j], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    COMPUTE;
    __syncthreads();
    k += T;
  }
  out[ty * T + tx] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define SQUARE(NAME, LEAST, ...)                                               \
  CASE(NAME) {                                                                 \
    for (int K : multiples(T))                                                 \
      if (K >= LEAST) {                                                        \
        auto A = in<float>("A", T * K);                                        \
        auto out = harness::out<float>("out", T * T);                          \
        launch({1, dim3(T, T)}, __VA_ARGS__);                                  \
      }                                                                        \
  }
SQUARE(endless_for, 0, endless_for, A, out, K)
SQUARE(stepping_for, 0, stepping_for, A, out, K)
SQUARE(endless_while, 0, endless_while, A, out, K)
SQUARE(two_conditions, 0, two_conditions, A, out, K, true)
SQUARE(by_float, 0, by_float, A, out, K, float(K))
SQUARE(asked_behind, T, asked_behind, A, out, K)
SQUARE(counted_down, 0, counted_down, A, out, K)
SQUARE(zeros, 0, zeros, A, out, K)
CASE(zero_vectors) {
  for (int K : {0, 10, 32, 70, 150}) {
    auto A = in<float>("A", 4 * K), out = harness::out<float>("out", T * T);
    launch({1, dim3(T, T)}, zero_vectors, A, out, K);
  }
}
SQUARE(skipped, 0, skipped, A, out, K)
SQUARE(skipped_twice, 0, skipped_twice, A, out, K)
SQUARE(nested, 0, nested, A, out, K)
SQUARE(instance, 0, instances<16>, A, out, K)
SQUARE(other_instance, 0, instances<24>, A, out, K)
SQUARE(asynchronous, 0, asynchronous, A, out, K)
#else
template __global__ void instances<16>(const float *, float *, int);
template __global__ void instances<24>(const float *, float *, int);
#endif
