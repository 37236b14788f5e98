// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer that is used before the loop, so that its contents are copied to all
// stages: and the loop reaches the first stage by another name, or some threads
// do not come to the copies.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s

constexpr int T = 64;

struct View {
  float *at;
  int width;
};
__device__ View view_of(float *at) { return {at, T}; }
__device__ void keep(View &v, float *at) { v.at = at; }
__device__ float *same(float *at) { return at; }

#define KERNEL(name)                                                           \
  __global__ void __launch_bounds__(T) name(const float *__restrict__ x,       \
                                            float *__restrict__ y, int n)

KERNEL(by_member) {
  __shared__ float xs[T];
  View v;
  v.at = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + v.at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_initialised_object) {
  __shared__ float xs[T];
  View v = {xs, 1};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + v.at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Where an element lies hangs on bits of the address, which another stage has
// otherwise: every other row of 256 bytes is turned.
KERNEL(by_bits_of_its_address) {
  __shared__ __align__(256) float xs[3 * T];
  const int t = threadIdx.x;
  const int turned = (reinterpret_cast<size_t>(xs) / 256) % 2 ? 16 : 0;
  xs[t] = 0;
  xs[T + (t ^ turned)] = x[t];
  xs[2 * T + t] = 1;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] *
             xs[T + (((j + t) % T) ^
                     ((reinterpret_cast<size_t>(xs) / 256) % 2 ? 16 : 0))];
  }
  y[t] = sum;
}

// A part of the array that the bits choose would be another one in each stage.
KERNEL(part_by_bits_of_its_address) {
  __shared__ __align__(256) float xs[3 * T];
  float *part = xs + (reinterpret_cast<size_t>(xs) / 256) % 2 * T;
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    part[t] = x[i + t];
    __syncthreads();
    const float *same_part = xs + (reinterpret_cast<size_t>(xs) / 256) % 2 * T;
    for (int j = 0; j < T; ++j)
      sum += same_part[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(by_result) {
  __shared__ float xs[T];
  View v = view_of(xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + v.at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(pointer_result_legal) {
  __shared__ float xs[T];
  float *p = same(xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_reference_parameter) {
  __shared__ float xs[T];
  View v;
  keep(v, xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + v.at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_closure) {
  __shared__ float xs[T];
  View v;
  auto set = [&](float *at) { v.at = at; };
  set(xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + v.at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(in_closure) {
  __shared__ float xs[T];
  auto get = [&](int j) { return xs[j]; };
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + get(j ^ 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_shared_pointer) {
  __shared__ float xs[T];
  __shared__ float *p;
  if (threadIdx.x == 0)
    p = xs;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_array_of_pointers) {
  __shared__ float xs[T];
  float *p[2] = {xs, xs + 1};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[0][j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_pointer_to_pointer) {
  __shared__ float xs[T];
  float *p = nullptr, **q = &p;
  *q = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_reference_to_pointer) {
  __shared__ float xs[T];
  float *p = nullptr, *&q = p;
  q = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_moved_pointer) {
  __shared__ float xs[T];
  float *p = xs;
  if (n & 1)
    ++p;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[(j ^ 1) & ~1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_number) {
  __shared__ float xs[T];
  unsigned long long p = 0;
  p += (unsigned long long)xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + ((float *)p)[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_comma) {
  __shared__ float xs[T];
  float *p;
  int zero = (p = xs, 0);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + p[j ^ 1 ^ zero];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(by_binding) {
  __shared__ float xs[T];
  View v = {xs, 1};
  auto [from, width] = v;
  float *at = from;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + at[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(row_legal) {
  __shared__ float all[2][T];
  auto &xs = all[0];
  auto &row = all[0];
  row[threadIdx.x] = 0;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + row[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(some_have_left) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  if (n < T)
    return;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(before_legal) {
  __shared__ float xs[T];
  float *p = &xs[1];
  p[-1 + int(threadIdx.x)] = x[threadIdx.x];
  __syncthreads();
  float first = p[int(threadIdx.x ^ 5) - 1];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + first;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(reference_legal) {
  __shared__ float xs[T];
  float &own = xs[threadIdx.x];
  own = x[threadIdx.x];
  float first = own;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + first;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(atomic_legal) {
  __shared__ __align__(16) float xs[T];
  xs[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&xs[threadIdx.x ^ 1], 1.0f);
  __syncthreads();
  float first = xs[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + first;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(name)                                                              \
  CASE(name) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + T), y = out<float>("y", T);                  \
      launch({1, T}, name, x, y, n);                                           \
    }                                                                          \
  }
RUN(by_member)
RUN(by_initialised_object)
RUN(by_bits_of_its_address)
RUN(part_by_bits_of_its_address)
RUN(by_result)
RUN(pointer_result_legal)
RUN(by_reference_parameter)
RUN(by_closure)
RUN(in_closure)
RUN(by_shared_pointer)
RUN(by_array_of_pointers)
RUN(by_pointer_to_pointer)
RUN(by_reference_to_pointer)
RUN(by_moved_pointer)
RUN(by_number)
RUN(by_comma)
RUN(by_binding)
RUN(row_legal)
RUN(some_have_left)
RUN(before_legal)
RUN(reference_legal)
RUN(atomic_legal)
#endif
