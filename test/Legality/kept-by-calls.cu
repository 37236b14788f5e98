// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of a tile that outlive the iteration which took them, kept by objects,
// functions and closures; see kept-addresses.cu. Legal twins keep what they load.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 32;

__device__ inline unsigned number(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ inline float at(unsigned a) {
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(a));
  return r;
}

struct Kept {
  unsigned a = 0;
  __device__ void set(const void *p) { a = number(p); }
  __device__ unsigned first(const void *p) {
    if (!a)
      a = number(p);
    return a;
  }
};

// An object keeps it, by its member function.
__global__ void __launch_bounds__(T)
by_member(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  Kept k;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'k' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(k.a);
    k.set(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// The first one that it has got.
__global__ void __launch_bounds__(T)
by_result(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  Kept k;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'k' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(k.first(xs));
    __syncthreads();
  }
  y[t] = sum;
}

struct Keeps {
  unsigned &to, a;
  __device__ Keeps(unsigned &to, const void *p) : to(to), a(number(p)) { to = a; }
};

// A constructor keeps it for somebody else.
__global__ void __launch_bounds__(T)
by_constructor(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    Keeps k(kept, xs);
    __syncthreads();
  }
  y[t] = sum;
}

struct Later {
  unsigned &to, a;
  __device__ void run() { to = a; }
};

// An object keeps it in what it was made of.
__global__ void __launch_bounds__(T)
by_object(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    Later l{kept, number(xs)};
    l.run();
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline void store(unsigned *to, unsigned a) { *to = a; }

// A function keeps it, by a pointer that is a variable.
__global__ void __launch_bounds__(T)
by_pointer_to(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  unsigned *p = &kept;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    store(p, number(xs));
    __syncthreads();
  }
  y[t] = sum;
}

// And by one to a part of an array.
__global__ void __launch_bounds__(T)
in_elements(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept[2] = {};
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept[1]);
    store(kept + 1, number(xs));
    __syncthreads();
  }
  y[t] = sum;
}

// A closure, made before the loop.
__global__ void __launch_bounds__(T)
by_closure(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  auto keep = [&](unsigned a) { kept = a; };
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    keep(number(xs));
    __syncthreads();
  }
  y[t] = sum;
}

// And in it.
__global__ void __launch_bounds__(T)
by_closure_in_loop(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    auto keep = [&](const void *p) { kept = number(p); };
    keep(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// What a closure returns.
__global__ void __launch_bounds__(T)
of_closure(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    auto get = [&] { return number(xs); };
    kept = get();
    __syncthreads();
  }
  y[t] = sum;
}

// Which number it is can be seen in what is kept.
__global__ void __launch_bounds__(T)
as_value(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'sum' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(number(xs)) + float(number(xs) & 0xfff);
    __syncthreads();
  }
  y[t] = sum;
}

struct Sums {
  float a = 0;
  int b = 0;
  __device__ void add(const float4 *p) {
    for (int i = 0; i < T; ++i) {
      a += p[i].x;
      b += int(p[i].y);
    }
  }
};

// What is loaded from there is kept by an object.
__global__ void __launch_bounds__(T)
kept_loads_legal(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  Sums s;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    s.add(xs);
    sum += s.a;
    __syncthreads();
  }
  y[t] = sum;
}

// By a closure.
__global__ void __launch_bounds__(T)
loads_by_closure_legal(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  int kept = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    auto add = [&](int i) { kept += int(xs[i].x); };
    for (int i = 0; i < T; ++i)
      add(i);
    sum += kept;
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline void take(int *to, const float4 *p) {
  const float4 *q = p + threadIdx.x;
  int v = int(q->x) + int((*p).y);
  *to += v;
}

// By a pointer to a variable.
__global__ void __launch_bounds__(T)
loads_by_pointer_legal(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  int kept = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    take(&kept, xs);
    sum += kept;
    __syncthreads();
  }
  y[t] = sum;
}

// How far two elements are from each other is the same in each stage.
__global__ void __launch_bounds__(T)
distances_legal(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  bool kept = false;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    kept |= &xs[t] != xs;
    sum += xs[t].x + kept;
    __syncthreads();
  }
  y[t] = sum;
}

// Numbers that are gone in the next iteration.
__global__ void __launch_bounds__(T)
within_legal(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    unsigned a[2] = {number(xs), number(xs + 1)}, *p = a;
    auto get = [&](int i) { return p[i]; };
    sum += at(get(1));
    __syncthreads();
  }
  y[t] = sum;
}
