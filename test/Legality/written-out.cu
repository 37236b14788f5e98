// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closures, member functions, macros and chains of assignments whose text would
// mean something else in the place of the call, or for which there is none.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

constexpr int T = 64;

// What it has a copy of changes.
__global__ void old_value(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int shift = 0;
  auto load = [=](int i) { xs[threadIdx.x] = x[i + shift + threadIdx.x]; };
  shift = n;
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in a lambda, which cannot be cloned [kpipe-load-effects]
    load(i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum + shift;
}

// It counts by itself.
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int k = 0;
  auto load = [xs = &xs[0], x, k]() mutable {
    xs[threadIdx.x] = x[k + threadIdx.x];
    k += T;
  };
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in a lambda, which cannot be cloned [kpipe-load-effects]
    load();
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum + k;
}

// Some threads return from it; what it computes is a value.
__global__ void returns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto load = [&](int i) {
    if (i + threadIdx.x >= n)
      return;
    xs[threadIdx.x] = x[i + threadIdx.x];
  };
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in a lambda, which cannot be cloned [kpipe-load-effects]
    load(i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A copy that the author forgot to step: each tile is what it was.
__global__ void kept_count(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int k = 0;
  auto load = [=] { xs[threadIdx.x] = x[k + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in a lambda, which cannot be cloned [kpipe-load-effects]
    load();
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
  }
  y[threadIdx.x] = sum;
}

// A name of the class means another one in the kernel.
constexpr int Shift = 1;
struct Shifted {
  float data[T];
  enum { Shift = 2 };
  __device__ void store(int i, float v) { data[i ^ Shift] = v; }
};
__global__ void other_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Shifted xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in the member function 'store', whose object is no variable that the thread has before the loop [kpipe-load-effects]
    xs.store(threadIdx.x, x[i + threadIdx.x]);
    __syncthreads();
    sum += xs.data[threadIdx.x ^ Shift];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nobody else may name its members; a virtual function may be another one.
class Hidden {
  float data[T];

public:
  __device__ void store(int i, float v) { data[i] = v; }
  __device__ float get(int i) const { return data[i]; }
};
__global__ void of_private(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Hidden xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region fills shared memory in the member function 'store', whose object is no variable that the thread has before the loop [kpipe-load-effects]
    xs.store(threadIdx.x, x[i + threadIdx.x]);
    __syncthreads();
    sum += xs.get(threadIdx.x ^ 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The compute changes what the closure reads: found where it is written out.
__global__ void feeds_load(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int next = 0;
  auto load = [&] { xs[threadIdx.x] = x[next + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    load();
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: not pipelined: 'next' is written by the compute region and read by the load region [kpipe-carried-scalar]
    next = sum > 0 ? 2 * next : next + T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Of two definitions, one is another function's; the other has the text of this
// one only where a condition says so.
#ifdef OTHER_TILES
#define LOAD(to, from) to[threadIdx.x] = (from)[threadIdx.x]
#endif
#ifndef OTHER_TILES
#define LOAD(to, from) to[threadIdx.x] = 2 * (from)[threadIdx.x]
#else
#define LOAD(to, from) to[threadIdx.x] = 3 * (from)[threadIdx.x]
#endif
__global__ void other_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: written-out.cu:[[#@LINE+1]]:3: warning: not pipelined: a copy is hidden in a macro [kpipe-macro-text]
  for (int i = 0; i < n; i += T) {
    LOAD(xs, x + i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define PASTED(a, b, from) a##b[threadIdx.x] = (from)[threadIdx.x]
__global__ void pasted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: written-out.cu:[[#@LINE+1]]:3: warning: not pipelined: a copy is hidden in a macro [kpipe-macro-text]
  for (int i = 0; i < n; i += T) {
    PASTED(x, s, x + i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What the inner one keeps is another value: 300 in eight bits.
__global__ void narrowed(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ unsigned char marks[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    else
      // CHECK: written-out.cu:[[#@LINE+2]]:25: warning: {{.*}} [kpipe-carried-shared]
      // CHECK: written-out.cu:[[#@LINE+1]]:25: warning: {{.*}} [kpipe-load-effects]
      xs[threadIdx.x] = marks[threadIdx.x] = 300;
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum + marks[0];
}

// An instance for which the other branch does not compile.
struct Plain {
  float v;
};
struct Scaled {
  float v, scale;
};
template <class E, bool Scales>
__global__ void __launch_bounds__(T)
one_only(const E *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: written-out.cu:[[#@LINE+1]]:3: warning: not pipelined: the template's instantiations would have to be pipelined differently (in {{.*}}) [kpipe-instantiations-differ]
  for (int i = 0; i < n; i += T) {
    if constexpr (Scales)
      xs[threadIdx.x] = x[i + threadIdx.x].v * x[i + threadIdx.x].scale;
    else
      xs[threadIdx.x] = x[i + threadIdx.x].v;
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void one_only<Plain, false>(const Plain *, float *, int);
template __global__ void one_only<Scaled, true>(const Scaled *, float *, int);

// What is captured changes something where the closure is made.
__global__ void made_with(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int made = 0;
  auto load = [&, &r = ++made](int i) {
    xs[threadIdx.x] = x[i + threadIdx.x];
  };
  for (int i = 0; i < n; i += T) {
    // CHECK: written-out.cu:[[#@LINE+1]]:5: warning: {{.*}} in a lambda, which cannot be cloned [kpipe-load-effects]
    load(i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum + made;
}

// What a bit-field gives back is what fits into it.
struct Packed {
  unsigned low : 4, high : 16;
  float v;
};
__global__ void narrow_fields(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Packed ps[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    ps[threadIdx.x].v = x[i + threadIdx.x];
    // CHECK: written-out.cu:[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} [kpipe-
    ps[threadIdx.x].high = ps[threadIdx.x].low = 300;
    __syncthreads();
    sum += ps[threadIdx.x ^ 3].v * ps[threadIdx.x].high;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An array without elements, in the branch that an instance discards.
template <int K>
__global__ void __launch_bounds__(T)
no_elements(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: written-out.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}} [kpipe-instantiations-differ]
  for (int i = 0; i < n; i += T) {
    if constexpr (K == 0) {
      xs[threadIdx.x] = x[i + threadIdx.x];
    } else {
      float v[K];
      for (int q = 0; q < K; ++q)
        v[q] = x[i + threadIdx.x + q];
      xs[threadIdx.x] = v[K - 1];
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void no_elements<0>(const float *, float *, int);
template __global__ void no_elements<1>(const float *, float *, int);
