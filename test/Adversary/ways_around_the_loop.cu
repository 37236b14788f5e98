// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps, conditions, arguments and calls around a loop: a barrier that stands
// behind it in the text is passed by on some way, or has been passed before it.
// What is read in the loop and written behind it without another barrier must
// stay apart.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=14 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
    outer_break(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * w[(threadIdx.x + j) % T];
      __syncthreads();
    }
    if (s == 2)
      break;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    outer_continue(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int s = 0; s < 3; ++s) {
    if (s)
      w[threadIdx.x] = sum;
    __syncthreads();
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * w[(threadIdx.x + j) % T];
      __syncthreads();
    }
    if (s != 2)
      continue;
    __syncthreads();
  }
  w[threadIdx.x + T] = sum;
}

__global__ void __launch_bounds__(T)
    inner_exits_by_flag(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  bool more = true;
  for (int s = 0; more; ++s) {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * w[(threadIdx.x + j) % T];
      __syncthreads();
    }
    if (s == 1) {
      more = false;
      continue;
    }
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    persistent_queue_three(const float *x, float *w, int n) {
  __shared__ float xs[T], bias[T];
  float sum = 0;
  for (int s = 0;;) {
    bias[threadIdx.x] = x[threadIdx.x + s];
    __syncthreads();
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * bias[(threadIdx.x + j) % T];
      __syncthreads();
    }
    if (++s == 3)
      break;
    if (s == 2)
      continue;
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__device__ float helper_returns_early_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  if (n < 20 * T)
    return sum;
  __syncthreads();
  return 2 * sum;
}
__global__ void __launch_bounds__(T)
    helper_returns_early(const float *x, float *w, int n) {
  w[threadIdx.x] = helper_returns_early_dots(x, w, n);
}

__device__ float assigned_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    assigned_call(const float *x, float *w, int n) {
  w[threadIdx.x] = assigned_call_dots(x, w, n);
}

__device__ float condition_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    condition_call(const float *x, float *w, int n) {
  if (condition_call_dots(x, w, n) > 1)
    w[threadIdx.x] = 1;
  else
    w[threadIdx.x] = 2;
}

__device__ float condition_init_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    condition_init(const float *x, float *w, int n) {
  if (float r = condition_init_dots(x, w, n); r > 0)
    w[threadIdx.x] = r;
}

__device__ float condition_variable_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    condition_variable(const float *x, float *w, int n) {
  if (float r = condition_variable_dots(x, w, n))
    w[threadIdx.x] = r;
}

__device__ float init_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    init_call(const float *x, float *w, int n) {
  int s = 0;
  for (float r = init_call_dots(x, w, n); s < 3; ++s, __syncthreads())
    w[threadIdx.x] = r + s;
}

__device__ float while_condition_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    while_condition_call(const float *x, float *w, int n) {
  int s = 0;
  while (while_condition_call_dots(x + s, w, n) < 1e30f && s < 3) {
    w[threadIdx.x] = s;
    __syncthreads();
    ++s;
  }
}

__device__ float comma_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(T)
    comma_call(const float *x, float *w, int n) {
  float r;
  __syncthreads(), r = comma_call_dots(x, w, n), w[threadIdx.x] = r;
}

__device__ int index_calls_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum != sum;
}
__global__ void __launch_bounds__(T)
    index_calls(const float *x, float *w, int n) {
  w[threadIdx.x + index_calls_dots(x, w, n)] = 2;
}

__device__ float ternary_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    ternary_call(const float *x, float *w, int n) {
  n ? w[threadIdx.x] = ternary_call_dots(x, w, n) : w[threadIdx.x + T] = 1;
}

__global__ void __launch_bounds__(T)
    outer_break_legal(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    if (s == 2)
      break;
    __syncthreads();
  }
  __syncthreads();
  w[threadIdx.x] = sum;
}

__device__ float condition_call_legal_dots(const float *x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    condition_call_legal(const float *__restrict__ x, float *__restrict__ w,
                         int n) {
  if (condition_call_legal_dots(x, n) > 1)
    w[threadIdx.x] = 1;
  else
    w[threadIdx.x] = 2;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(outer_break)
UPDATES(outer_continue)
UPDATES(inner_exits_by_flag)
UPDATES(persistent_queue_three)
UPDATES(helper_returns_early)
UPDATES(assigned_call)
UPDATES(condition_call)
UPDATES(condition_init)
UPDATES(condition_variable)
UPDATES(init_call)
UPDATES(while_condition_call)
UPDATES(comma_call)
UPDATES(index_calls)
UPDATES(ternary_call)
UPDATES(outer_break_legal)
UPDATES(condition_call_legal)
#endif
