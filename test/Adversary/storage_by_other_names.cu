// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that becomes a parameter or gets a copy of its own is reached under
// another name: references, pointers, closures, bindings, members, callees.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
closure_header_var(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  auto at = [&](int j) { return x[i + j]; };
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = at(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
reference_header_var(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  const int &at = i;
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
closure_induction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  auto at = [&](int j) { return x[off + j]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = at(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}
struct Pair {
  int a, b;
};
__global__ void __launch_bounds__(T)
binding_induction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto [off, inc] = Pair{0, T};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    off += inc;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}
__global__ void __launch_bounds__(T)
place_by_closure(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  auto slot_of = [&](int j) { return (off + j) % T; };
  for (int i = 0; i < n; i += T) {
    xs[slot_of(threadIdx.x)] = x[i + threadIdx.x];
    off += 5;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// A pointer to it, and one that a helper hands back.
__global__ void __launch_bounds__(T)
pointer_induction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  const int *p = &off;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[*p + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}
__device__ int &same(int &v) { return v; }
__global__ void __launch_bounds__(T)
reference_from_helper(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  int &at = same(i);
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + at);
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

// In a member, in an init-capture, in a closure's closure.
struct View {
  const float *x;
  const int &at;
  __device__ float operator()(int j) const { return x[at + j]; }
};
__global__ void __launch_bounds__(T)
reference_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  View v{x, i};
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = v(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
init_capture_reference(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  auto at = [&o = off, x](int j) { return x[o + j]; };
  auto outer = [&](int j) { return at(j); };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = outer(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}
__global__ void __launch_bounds__(T)
closure_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *src = x;
  auto get = [&] { return src[threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = src[threadIdx.x];
    src += T;
    __syncthreads();
    float ahead = get();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + ahead;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A member reached by a pointer to member, an element by a binding.
struct Cursor {
  int at, step;
};
__global__ void __launch_bounds__(T)
pointer_to_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Cursor c{0, T};
  int Cursor::*which = &Cursor::at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[c.*which + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + c.at);
    c.at += c.step;
    __syncthreads();
  }
  y[threadIdx.x] = sum + c.at;
}
__global__ void __launch_bounds__(T)
reference_binding(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Cursor c{0, T};
  auto &[at, step] = c;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + at);
    c.at += step;
    __syncthreads();
  }
  y[threadIdx.x] = sum + at;
}

// A class that keeps the address of what it is given.
struct Counter {
  int *n;
  __device__ explicit Counter(int &v) : n(&v) {}
  __device__ int next() { return *n += T; }
};
__global__ void __launch_bounds__(T)
kept_by_constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = -T;
  Counter counter(off);
  for (int i = 0; i < n; i += T) {
    counter.next();
    xs[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// The staged array under a second name, which knows no stages.
__global__ void __launch_bounds__(T)
tile_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float(&tile)[T] = xs;
  float sum = 0;
  auto at = [&](int j) { return tile[j]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += at(j) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
tile_in_closure(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto at = [&](int j) { return xs[j]; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += at(j) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// References to what nothing changes.
__global__ void __launch_bounds__(T)
reference_constant_legal(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 3;
  const int &at = off;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
closure_constant_legal(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 3;
  auto at = [=](int j) { return off + j; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + at(threadIdx.x)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
induction_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(closure_header_var)
TILES(reference_header_var)
TILES(closure_induction)
TILES(binding_induction)
TILES(place_by_closure)
TILES(pointer_induction)
TILES(reference_from_helper)
TILES(reference_member)
TILES(init_capture_reference)
TILES(closure_pointer)
TILES(pointer_to_member)
TILES(reference_binding)
TILES(kept_by_constructor)
TILES(tile_reference)
TILES(tile_in_closure)
TILES(reference_constant_legal)
TILES(closure_constant_legal)
TILES(induction_legal)
#endif
