// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legal loops that the check of the result has to understand: barriers in
// blocks and in `do ... while (0)`, loops in call operators, small elements in
// templates, closures over what the load changes, references to a tile that
// are used behind the loop. Those named `stays_...` are not legal, or need more
// than there is.
// REQUIRES: executor
// RUN: %variants --at-least=17 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 17

constexpr int T = 64;

#define SYNC()                                                                 \
  do {                                                                         \
    __syncthreads();                                                           \
  } while (0)

// The first barrier of the body in a block, or in a macro.
__global__ void __launch_bounds__(T)
    block_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    {
      __syncthreads();
    }
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    macro_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    SYNC();
    xs[threadIdx.x] = x[i + threadIdx.x];
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    macro_last(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    SYNC();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    do_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    do
      __syncthreads();
    while (false);
    xs[threadIdx.x] = x[i + threadIdx.x];
    {
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    block_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    {
      {
        __syncthreads();
      }
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    {
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

// The loop stands in an operator.
struct Job {
  const float *x;
  __device__ float operator()(int n) const {
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
  __device__ float operator[](const float *at) const { return at[0]; }
};
__global__ void __launch_bounds__(T)
    call_operator(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = Job{x}(n);
}
struct Total {
  float sum = 0;
  __device__ Total &operator+=(const float *__restrict__ x) {
    __shared__ float xs[T];
    for (int i = 0; i < 4 * T; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return *this;
  }
};
__global__ void __launch_bounds__(T)
    compound_operator(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  Total total;
  total += x;
  y[threadIdx.x] = total.sum;
}

// Elements of one byte, by a template's parameter and by themselves.
template <typename E>
__global__ void __launch_bounds__(T)
    bytes(const E *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ E xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * int(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <typename E>
__global__ void __launch_bounds__(T)
    signed_bytes(const signed char *__restrict__ x, E *__restrict__ y, int n) {
  __shared__ signed char xs[T];
  E sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * int(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A closure over a variable that the load changes, which the load alone calls.
__global__ void __launch_bounds__(T)
    closure_of_load(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    closure_sets(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto set = [&](int to) { at = to; };
  for (int i = 0; i < n; i += T) {
    set(i / 2);
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    closure_behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + next();
}

__global__ void __launch_bounds__(T)
    closure_around(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  for (int row = 0; row < 2; ++row) {
    at = row;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = next();
      at += T;
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    sum += next();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    stays_computes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += next();
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    stays_closure_in_closure(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  auto other = [&] { return next() * 2; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += other();
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    stays_copied(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [&] { return x[at + threadIdx.x]; };
  auto other = next;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += other();
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    stays_slot(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto slot = [&] { return (threadIdx.x + at) % T; };
  for (int i = 0; i < n; i += T) {
    xs[slot()] = x[i + threadIdx.x];
    ++at;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

__global__ void __launch_bounds__(T)
    stays_address(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  const int *seen = &n;
  auto next = [&] {
    seen = &at;
    return x[at + threadIdx.x];
  };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next();
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += *seen;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    stays_returned(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto make = [&] { return [&] { return at; }; };
  auto get = make();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[make()() + threadIdx.x];
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += get();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A reference to the tile, used behind the loop.
__global__ void __launch_bounds__(T)
    array_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float (&tile)[T] = xs;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + (n > 0 ? tile[0] : 0);
}

__global__ void __launch_bounds__(T)
    written_behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto &tile = xs;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = sum + tile[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(T)
    row_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  auto &tile = xs[1];
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + (n > 0 ? tile[0] : 0);
}

__global__ void __launch_bounds__(T)
    element_reference(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  float &mine = xs[threadIdx.x];
  for (int i = 0; i < n; i += T) {
    mine = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + (n > 0 ? mine : 0);
}

template __global__ void bytes(const signed char *__restrict__,
                               float *__restrict__, int);
template __global__ void bytes(const unsigned char *__restrict__,
                               float *__restrict__, int);
template __global__ void signed_bytes(const signed char *__restrict__,
                                      float *__restrict__, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
using namespace harness;

template <typename Kernel> static void vectors(Kernel kernel) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 8 * T);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, x, y, n);
  }
}
template <typename E, typename Kernel> static void small(Kernel kernel) {
  for (int n : multiples(T)) {
    auto x = in<E>("x", n + T);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, x, y, n);
  }
}
CASE(bytes) {
  small<signed char>(bytes<signed char>);
  small<unsigned char>(bytes<unsigned char>);
}
CASE(signed_bytes) { small<signed char>(signed_bytes<float>); }
CASE(call_operator) { vectors(call_operator); }
CASE(compound_operator) { vectors(compound_operator); }
CASE(block_first) { vectors(block_first); }
CASE(macro_first) { vectors(macro_first); }
CASE(macro_last) { vectors(macro_last); }
CASE(do_first) { vectors(do_first); }
CASE(block_twice) { vectors(block_twice); }
CASE(closure_of_load) { vectors(closure_of_load); }
CASE(closure_sets) { vectors(closure_sets); }
CASE(closure_behind) { vectors(closure_behind); }
CASE(closure_around) { vectors(closure_around); }
CASE(stays_computes) { vectors(stays_computes); }
CASE(stays_closure_in_closure) { vectors(stays_closure_in_closure); }
CASE(stays_copied) { vectors(stays_copied); }
CASE(stays_address) { vectors(stays_address); }
CASE(stays_returned) { vectors(stays_returned); }
CASE(stays_slot) { vectors(stays_slot); }
CASE(array_reference) { vectors(array_reference); }
CASE(written_behind) { vectors(written_behind); }
CASE(row_reference) { vectors(row_reference); }
CASE(element_reference) { vectors(element_reference); }
#endif
