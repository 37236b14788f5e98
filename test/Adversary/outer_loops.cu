// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop runs again although no plain loop stands around it: range-based for,
// goto, a helper that is called twice, a closure. The second prologue must not
// overtake slow threads, and what the first run left must be found.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
range_for(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const int shifts[3] = {0, 5, 9};
  for (int s : shifts) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}

// Its second call has no tile and reads what the first left.
__device__ float tiles_and_last(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum + xs[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(T)
called_with_zero(const float *__restrict__ x, float *__restrict__ y, int n) {
  if (n == 0) {
    y[threadIdx.x] = 0;
    return;
  }
  float a = tiles_and_last(x, n);
  __syncthreads();
  y[threadIdx.x] = a - 3 * tiles_and_last(x, 0);
}

// The author's own iterators.
struct Shifts {
  struct Iterator {
    int at;
    __device__ int operator*() const { return at; }
    __device__ Iterator &operator++() {
      at += 3;
      return *this;
    }
    __device__ bool operator!=(const Iterator &o) const { return at != o.at; }
  };
  __device__ Iterator begin() const { return {0}; }
  __device__ Iterator end() const { return {9}; }
};
__global__ void __launch_bounds__(T)
range_for_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (auto s : Shifts())
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
goto_back(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int round = 0;
again:
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + round];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  if (++round < 3)
    goto again;
  y[threadIdx.x] = sum;
}

// Called twice in one expression; no barrier of the caller's is between.
__device__ float dots(const float *__restrict__ x, int n) {
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
__device__ float halved(const float *x, int n) { return 0.5f * dots(x, n); }
__global__ void __launch_bounds__(T)
called_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  float a = dots(x, n);
  float b = halved(x + T, n);
  y[threadIdx.x] = a - b;
}
__global__ void __launch_bounds__(T)
called_in_range_for(const float *__restrict__ x, float *__restrict__ y, int n) {
  float sum = 0;
  const int shifts[] = {1, 4};
  for (int s : shifts)
    sum += s * dots(x + s, n);
  y[threadIdx.x] = sum;
}

// The tile is another helper's scratch, too: same storage in both calls.
template <typename F> __device__ void twice(F f) {
  f(0);
  f(7);
}
__global__ void __launch_bounds__(T)
closure_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  twice([&](int s) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  });
  y[threadIdx.x] = sum;
}

// An endless outer loop that a break ends, and a switch within it.
__global__ void __launch_bounds__(T)
endless_outer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int s = 0;; ++s) {
    switch (s) {
    case 3:
      y[threadIdx.x] = sum;
      return;
    default:
      for (int i = 0; i < n; i += T) {
        xs[threadIdx.x] = x[i + threadIdx.x + s];
        __syncthreads();
        for (int j = 0; j < T; ++j)
          sum += xs[j] * (threadIdx.x ^ j);
        __syncthreads();
      }
    }
  }
}

__global__ void __launch_bounds__(T)
recursion_in_disguise(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto pass = [&](int s) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  };
  pass(0);
  sum *= 0.5f;
  pass(3);
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
outer_for_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const int shifts[3] = {0, 5, 9};
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + shifts[s]];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
range_for_barrier_legal(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  const int shifts[3] = {0, 5, 9};
  for (int s : shifts) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + s];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    sum *= 0.5f;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(range_for)
TILES(called_with_zero)
TILES(range_for_class)
TILES(goto_back)
TILES(called_twice)
TILES(called_in_range_for)
TILES(closure_twice)
TILES(endless_outer)
TILES(recursion_in_disguise)
TILES(outer_for_legal)
TILES(range_for_barrier_legal)
#endif
