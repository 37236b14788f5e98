// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function with the loop is called where no call is written, or a caller
// knows its memory by another name, or the next turn of the caller goes through
// the same call.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=13 %s

constexpr int T = 64;

__device__ float own_front_of_helper_dots(const float *x, int n) {
  __shared__ float xs[T], bias[T];
  float sum = 0;
  bias[threadIdx.x] = x[threadIdx.x + n];
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * bias[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    own_front_of_helper(const float *x, float *w, int n) {
  float r = 0;
  for (int s = 0; s < 3; ++s)
    r += own_front_of_helper_dots(x + s, n);
  w[threadIdx.x] = r;
}

__device__ int barrier_in_init_start() {
  __syncthreads();
  return 0;
}
__global__ void __launch_bounds__(T)
    barrier_in_init(const float *x, float *w, int n) {
  __shared__ float xs[T], bias[T];
  float sum = 0;
  for (int s = barrier_in_init_start(); s < 3; ++s) {
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
  }
  w[threadIdx.x] = sum;
}

__device__ float local_class_dots(const float *x, float *w, int n) {
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
    local_class(const float *x, float *w, int n) {
  struct Dot {
    const float *x;
    float *w;
    int n;
    __device__ operator float() const { return local_class_dots(x, w, n); }
  } dot{x, w, n};
  __syncthreads();
  float r = dot;
  w[threadIdx.x] = r;
}

struct virtual_call_base {
  __device__ virtual float run(const float *x, float *w, int n) { return 0; }
};
struct virtual_call_dot : virtual_call_base {
  __device__ float run(const float *x, float *w, int n) override {
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
};
__global__ void __launch_bounds__(T)
    virtual_call(const float *x, float *w, int n) {
  virtual_call_dot d;
  virtual_call_base &b = d;
  float a = d.run(x, w, n);
  __syncthreads();
  w[threadIdx.x] = a + b.run(x, w, n);
}

template <int Times> struct template_functor_dots {
  const float *x;
  float *w;
  __device__ float operator()(int n) const {
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
    return sum * Times;
  }
};
template <typename F>
__device__ void template_functor_apply(F f, float *w, int n) {
  w[threadIdx.x] = f(n);
}
__global__ void __launch_bounds__(T)
    template_functor(const float *x, float *w, int n) {
  template_functor_apply(template_functor_dots<1>{x, w}, w, n);
  __syncthreads();
  template_functor_apply(template_functor_dots<2>{x, w}, w + T, n);
}

__device__ float three_levels_dots(const float *x, float *w, int n) {
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
struct three_levels_out {
  float *p;
  __device__ three_levels_out &operator=(float v) {
    p[threadIdx.x] = v;
    return *this;
  }
};
template <typename F> __device__ float three_levels_middle(F f) { return f(); }
__global__ void __launch_bounds__(T)
    three_levels(const float *x, float *w, int n) {
  three_levels_out out{w};
  out = three_levels_middle([&] { return three_levels_dots(x, w, n); });
}

__device__ float two_calls_one_expression_dots(const float *x, float *w, int n,
                                               float *to) {
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
  if (to)
    to[threadIdx.x] = sum;
  return sum;
}
__global__ void __launch_bounds__(T)
    two_calls_one_expression(const float *x, float *w, int n) {
  float a =
      two_calls_one_expression_dots(x, w, n, w) +
      (__syncthreads(), two_calls_one_expression_dots(x + 1, w, n, w + T));
  __syncthreads();
  w[threadIdx.x] += a;
}

__device__ float recursive_dots(const float *x, float *w, int n, int depth) {
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
  if (depth) {
    sum += recursive_dots(x + 1, w, n, depth - 1);
    return sum;
  }
  w[threadIdx.x] = 0;
  return sum;
}
__global__ void __launch_bounds__(T)
    recursive(const float *x, float *w, int n) {
  w[threadIdx.x + T] = recursive_dots(x, w, n, 2);
}

__device__ float front_read_then_call_dots(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    float old = w[threadIdx.x ^ 1];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + old);
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    front_read_then_call(const float *x, float *w, int n) {
  float r = 0;
  for (int s = 0; s < 2; ++s) {
    r += front_read_then_call_dots(x + s, w, n);
    if (n)
      w[threadIdx.x] = r;
  }
}

__device__ float shared_of_the_caller_dots(const float *x, const float *bias,
                                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * bias[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    shared_of_the_caller(const float *__restrict__ x, float *__restrict__ w,
                         int n) {
  __shared__ float table[T];
  float r = 0;
  for (int s = 0; s < 3; ++s) {
    table[threadIdx.x] = x[threadIdx.x + s];
    __syncthreads();
    r += shared_of_the_caller_dots(x + s, table, n);
  }
  w[threadIdx.x] = r;
}

__device__ float restrict_of_the_kernel_dots(const float *x, const float *w,
                                             int n) {
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
    restrict_of_the_kernel(const float *__restrict__ x, float *__restrict__ w,
                           int n) {
  float a = restrict_of_the_kernel_dots(x, w, n);
  w[threadIdx.x] = a;
}

__device__ float restrict_of_the_helper_dots(const float *x,
                                             const float *__restrict__ w,
                                             int n) {
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
    restrict_of_the_helper(const float *x, float *w, int n) {
  float a = restrict_of_the_helper_dots(x, w, n);
  w[threadIdx.x] = a;
}

__device__ float restrict_ahead_dots(const float *__restrict__ x, int n) {
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
__global__ void __launch_bounds__(T) restrict_ahead(float *x, float *w, int n) {
  if (n)
    x[(threadIdx.x ^ 1) + T] = threadIdx.x;
  w[threadIdx.x] = restrict_ahead_dots(x, n);
}

__global__ void __launch_bounds__(T)
    persistent_queue(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ int ticket;
  int done = 0;
  while (true) {
    if (threadIdx.x == 0)
      ticket = done;
    __syncthreads();
    int s = ticket;
    __syncthreads();
    if (s > 2)
      break;
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    ++done;
  }
  w[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(own_front_of_helper)
UPDATES(barrier_in_init)
UPDATES(local_class)
UPDATES(virtual_call)
UPDATES(template_functor)
UPDATES(three_levels)
UPDATES(two_calls_one_expression)
UPDATES(recursive)
UPDATES(front_read_then_call)
UPDATES(shared_of_the_caller)
UPDATES(restrict_of_the_kernel)
UPDATES(restrict_of_the_helper)
UPDATES(restrict_ahead)
UPDATES(persistent_queue)
#endif
