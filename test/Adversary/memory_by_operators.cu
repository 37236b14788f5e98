// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that look like something else, tiles beside other storage, and values
// that are kept in odd places: right or refused when they were written.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T) modf_stores(float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += modff(sum, &x[i + T + threadIdx.x]);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

struct proxy_stores_ref {
  float *p;
  __device__ const proxy_stores_ref &operator=(float v) const {
    *p = v;
    return *this;
  }
};
struct proxy_stores_view {
  float *p;
  __device__ proxy_stores_ref operator[](int i) const { return {p + i}; }
};
__global__ void __launch_bounds__(T) proxy_stores(float *x, float *w, int n) {
  proxy_stores_view out{x};
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    out[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

template <bool Log>
__device__ float constexpr_branch_stores_keep(float *to, float v) {
  if constexpr (Log)
    *to = v;
  return v;
}
__global__ void __launch_bounds__(T)
    constexpr_branch_stores(float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += constexpr_branch_stores_keep<true>(&x[i + T + threadIdx.x], sum);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

template <bool Log>
__device__ float constexpr_branch_legal_keep(float *to, float v) {
  if constexpr (Log)
    *to = v;
  return v;
}
__global__ void __launch_bounds__(T)
    constexpr_branch_legal(float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += constexpr_branch_legal_keep<false>(&x[i + T + threadIdx.x], sum);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__device__ float *default_argument_stores_log;
__device__ float default_argument_stores_store(
    float v = default_argument_stores_log[threadIdx.x] += 1) {
  return v;
}
__global__ void __launch_bounds__(T)
    default_argument_stores(float *x, float *w, int n) {
  default_argument_stores_log = x + T;
  __syncthreads();
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += default_argument_stores_store();
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    through_integer(float *x, float *w, int n) {
  unsigned long long at = (unsigned long long)x;
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    *(float *)(at + 4 * (i + T + threadIdx.x)) = sum;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

struct bitfield_induction_bits {
  int at : 20;
  unsigned round : 12;
};
__global__ void __launch_bounds__(T)
    bitfield_induction(const float *__restrict__ x, float *__restrict__ w,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  bitfield_induction_bits b = {0, 0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[b.at + threadIdx.x];
    b.at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + b.round;
    b.round++;
    __syncthreads();
  }
  w[threadIdx.x] = sum + b.at + b.round;
}

union union_induction_either {
  int at;
  float f;
};
__global__ void __launch_bounds__(T)
    union_induction(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  union_induction_either u;
  u.at = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[u.at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    u.at += T;
    __syncthreads();
  }
  w[threadIdx.x] = sum + u.at;
}

__global__ void __launch_bounds__(T)
    swapped_offsets(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int a = 0, b = T / 2;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + a + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + a);
    int t = a;
    a = b;
    b = t;
    __syncthreads();
  }
  w[threadIdx.x] = sum + a;
}

__global__ void __launch_bounds__(T)
    volatile_local(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  volatile int at = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    at = at + T;
    __syncthreads();
  }
  w[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    pointer_walks(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *p = x + threadIdx.x;
  const float *end = x + n;
  for (; p < end; p += T) {
    xs[threadIdx.x] = *p;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + float(p - x);
    __syncthreads();
  }
  w[threadIdx.x] = sum + float(p - x);
}

__global__ void __launch_bounds__(T)
    halo_once(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T + 1];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (i == 0 && threadIdx.x == 0)
      xs[T] = x[n];
    __syncthreads();
    for (int j = 0; j <= T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    author_double_buffer(const float *__restrict__ x, float *__restrict__ w,
                         int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  int b = 0;
  xs[1][threadIdx.x] = 0;
  for (int i = 0; i < n; i += T) {
    xs[b][threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[b][j] * (threadIdx.x ^ j) + xs[b ^ 1][j];
    b ^= 1;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    stale_rest(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  xs[threadIdx.x] = 1;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    scratch_no_last_barrier(const float *__restrict__ x, float *__restrict__ w,
                            int n) {
  __shared__ float xs[T], red[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    red[threadIdx.x] = xs[threadIdx.x ^ 1] * threadIdx.x;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += red[j] * (j ^ threadIdx.x);
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    element_reference(const float *__restrict__ x, float *__restrict__ w,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  float &mine = xs[threadIdx.x];
  const float &other = xs[threadIdx.x ^ 1];
  for (int i = 0; i < n; i += T) {
    mine = x[i + threadIdx.x];
    __syncthreads();
    sum += other * threadIdx.x;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    other_output_legal(const float *__restrict__ x, float *__restrict__ w,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[T + i + threadIdx.x] = sum;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(modf_stores)
UPDATES(proxy_stores)
UPDATES(constexpr_branch_stores)
UPDATES(constexpr_branch_legal)
UPDATES(default_argument_stores)
UPDATES(through_integer)
UPDATES(bitfield_induction)
UPDATES(union_induction)
UPDATES(swapped_offsets)
UPDATES(volatile_local)
UPDATES(pointer_walks)
UPDATES(halo_once)
UPDATES(author_double_buffer)
PARTS(stale_rest)
UPDATES(scratch_no_last_barrier)
UPDATES(element_reference)
UPDATES(other_output_legal)
#endif
