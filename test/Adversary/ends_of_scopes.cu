// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that runs although nobody wrote a call: destructors at the ends of
// scopes and statements, constructors that the compiler makes; and barriers
// that are met on one way through an argument or an initializer only.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=15 %s

constexpr int T = 64;

struct scope_end_destructor_publish {
  float *to;
  const float &value;
  __device__ ~scope_end_destructor_publish() { to[threadIdx.x] = value; }
};
__global__ void __launch_bounds__(T)
    scope_end_destructor(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  scope_end_destructor_publish at_end{w, sum};
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
}

struct temporary_destructor_publish {
  float *to;
  float value;
  __device__ temporary_destructor_publish(float *t, float v)
      : to(t), value(v) {}
  __device__ ~temporary_destructor_publish() { to[threadIdx.x] = value; }
};
__global__ void __launch_bounds__(T)
    temporary_destructor(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  temporary_destructor_publish(w, sum);
}

struct temporary_lives_on_late {
  float *to;
  float v;
  __device__ temporary_lives_on_late(float *t, float f) : to(t), v(f) {}
  __device__ ~temporary_lives_on_late() { to[threadIdx.x] = v; }
};
__device__ float temporary_lives_on_dots(const float *x, float *w, int n,
                                         const temporary_lives_on_late &) {
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
    temporary_lives_on(const float *x, float *w, int n) {
  float a = temporary_lives_on_dots(x, w, n, temporary_lives_on_late(w, 3));
  __syncthreads();
  w[threadIdx.x + T] = a;
}

struct destructor_before_publish {
  float *to;
  __device__ destructor_before_publish(float *t) : to(t) {}
  __device__ ~destructor_before_publish() {
    to[(threadIdx.x ^ 1) + T] = threadIdx.x;
  }
};
__global__ void __launch_bounds__(T)
    destructor_before(float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  destructor_before_publish{x};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

struct implicit_copy_log {
  float *to;
  float value;
  __device__ implicit_copy_log(float *t, float v) : to(t), value(v) {}
  __device__ implicit_copy_log(const implicit_copy_log &o)
      : to(o.to), value(o.value) {
    to[threadIdx.x] = value;
  }
};
struct implicit_copy_both {
  implicit_copy_log log;
  int tag;
};
__global__ void __launch_bounds__(T)
    implicit_copy(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  implicit_copy_both a{implicit_copy_log(w, sum), 1};
  implicit_copy_both b = a;
  w[threadIdx.x + T] = b.log.value;
}

__device__ float *implicit_default_to;
__device__ float implicit_default_store() {
  return implicit_default_to[threadIdx.x] = 3;
}
struct implicit_default_part {
  float v = implicit_default_store();
};
struct implicit_default_all {
  implicit_default_part p;
  int tag = 0;
};
__global__ void __launch_bounds__(T)
    implicit_default(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  implicit_default_to = w;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  implicit_default_all all;
  w[threadIdx.x + T] = all.p.v + sum;
}

struct return_value_constructed_result {
  float v;
  __device__ return_value_constructed_result(float f, float *to) : v(f) {
    to[threadIdx.x] = f;
  }
};
__device__ return_value_constructed_result
return_value_constructed_dots(const float *x, float *w, int n) {
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
  return {sum, w};
}
__global__ void __launch_bounds__(T)
    return_value_constructed(const float *x, float *w, int n) {
  return_value_constructed_result r = return_value_constructed_dots(x, w, n);
  __syncthreads();
  w[threadIdx.x + T] = r.v;
}

__device__ bool conditional_barrier_argument_meet() {
  __syncthreads();
  return true;
}
__device__ void conditional_barrier_argument_note(bool) {}
__global__ void __launch_bounds__(T)
    conditional_barrier_argument(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  conditional_barrier_argument_note(n > 20 * T &&
                                    conditional_barrier_argument_meet());
  w[threadIdx.x] = sum;
}

__device__ bool conditional_barrier_initializer_meet() {
  __syncthreads();
  return true;
}
struct conditional_barrier_initializer_maybe {
  bool met;
  __device__ conditional_barrier_initializer_maybe(bool b)
      : met(b && conditional_barrier_initializer_meet()) {}
};
__global__ void __launch_bounds__(T)
    conditional_barrier_initializer(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  conditional_barrier_initializer_maybe m(n > 20 * T);
  w[threadIdx.x] = sum + m.met;
}

__device__ bool conditional_barrier_before_meet() {
  __syncthreads();
  return true;
}
__device__ void conditional_barrier_before_note(bool) {}
__global__ void __launch_bounds__(T)
    conditional_barrier_before(float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (n)
    x[(threadIdx.x ^ 1) + T] = threadIdx.x;
  conditional_barrier_before_note(n > 20 * T &&
                                  conditional_barrier_before_meet());
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    logical_and_barrier(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  bool met = n > 20 * T && __syncthreads_or(1);
  w[threadIdx.x] = sum + met;
}

__global__ void __launch_bounds__(T)
    goto_past_the_barrier(const float *x, float *w, int n) {
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
    goto store;
  __syncthreads();
store:
  w[threadIdx.x] = sum;
}

struct mutable_member_box {
  mutable float v[T];
  int tag;
};
__device__ const mutable_member_box mutable_member_the = {{1, 2, 3}, 4};
__global__ void __launch_bounds__(T)
    mutable_member(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * mutable_member_the.v[(threadIdx.x + j) % T];
    __syncthreads();
  }
  mutable_member_the.v[threadIdx.x] = sum;
  __syncthreads();
  w[threadIdx.x] = mutable_member_the.v[threadIdx.x ^ 1];
}

__device__ float *device_pointer_to_shared_slot;
__global__ void __launch_bounds__(T)
    device_pointer_to_shared(const float *x, float *w, int n) {
  __shared__ float xs[T], bias[T];
  float sum = 0;
  bias[threadIdx.x] = x[threadIdx.x];
  device_pointer_to_shared_slot = bias;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * bias[(threadIdx.x + j) % T];
    __syncthreads();
  }
  device_pointer_to_shared_slot[threadIdx.x] = sum;
  __syncthreads();
  w[threadIdx.x] = bias[threadIdx.x ^ 1];
}

__device__ float *restrict_through_memory_slot;
__global__ void __launch_bounds__(T)
    restrict_through_memory(const float *__restrict__ x, float *__restrict__ w,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  restrict_through_memory_slot = w;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  restrict_through_memory_slot[threadIdx.x] = sum;
}

struct scope_end_legal_timer {
  int start;
  __device__ ~scope_end_legal_timer() {}
};
__global__ void __launch_bounds__(T)
    scope_end_legal(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  scope_end_legal_timer t{3};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  w[threadIdx.x] = sum + t.start;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(scope_end_destructor)
UPDATES(temporary_destructor)
UPDATES(temporary_lives_on)
UPDATES(destructor_before)
UPDATES(implicit_copy)
UPDATES(implicit_default)
UPDATES(return_value_constructed)
UPDATES(conditional_barrier_argument)
UPDATES(conditional_barrier_initializer)
UPDATES(conditional_barrier_before)
UPDATES(logical_and_barrier)
UPDATES(goto_past_the_barrier)
UPDATES(mutable_member)
UPDATES(device_pointer_to_shared)
UPDATES(restrict_through_memory)
UPDATES(scope_end_legal)
#endif
