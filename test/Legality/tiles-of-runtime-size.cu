// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops with a bound that only the run knows: an array's size limits them
// only where they do nothing but store its elements, upwards from its first.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

constexpr int T = 64, Most = 160;

#define COMPUTE                                                                \
  __syncthreads();                                                             \
  for (int i = 0; i < tile; ++i)                                               \
    s += xs[i] * (i ^ t);                                                      \
  __syncthreads();

// Behind the last element the loop goes on to count.
__global__ void __launch_bounds__(T) counts(const float *x, float *y, int n,
                                            int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x, seen = 0;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}}
    for (int i = t; i < tile; i += T) {
      if (i < Most)
        xs[i] = x[k + i] * 2;
      ++seen;
    }
    COMPUTE
  }
  y[t] = s + seen;
}

// Another array has the elements that are too many for the first.
__global__ void __launch_bounds__(T) two_arrays(const float *x, float *y, int n,
                                                int tile) {
  __shared__ float xs[Most];
  __shared__ float ys[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on 'tile', which is not constant, so their registers cannot be counted (registers, because its value is computed or converted, not copied) [kpipe-register-shape]
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-2]]:3: note: let the copy loop count to a constant, and ask for its bound in the body: 'for (i = ...; i < 256; ...) if (i < n)'
    for (int i = t; i < tile; i += T)
      if (i < Most)
        xs[i] = x[k + i] * 2;
      else
        ys[i - Most] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += i < Most ? xs[i] : ys[i - Most];
    __syncthreads();
  }
  y[t] = s;
}

// The bound moves while the loop runs.
__global__ void __launch_bounds__(T) moving(const float *x, float *y, int n,
                                            int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}}
    int last = tile;
    for (int i = t; i < last; i += T) {
      xs[i] = x[k + i] * 2;
      last = tile - (i & 1);
    }
    COMPUTE
  }
  y[t] = s;
}

// Past its bound such a condition holds again.
__global__ void __launch_bounds__(T) unequal(const float *x, float *y, int n,
                                             int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} depends on 'tile', which is not constant
    for (int i = 0; i != tile; ++i)
      xs[i] = x[k + i] * 2;
    COMPUTE
  }
  y[t] = s;
}

// One row's name for the elements of all rows.
__global__ void __launch_bounds__(T) all_rows(const float *x, float *y, int n,
                                              int tile) {
  __shared__ float xs[4][40];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} depends on 'tile', which is not constant
    for (int i = t; i < tile; i += T)
      xs[0][i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i / 40][i % 40];
    __syncthreads();
  }
  y[t] = s;
}

// It may begin below the array, where more turns are needed to pass it.
__global__ void __launch_bounds__(T) below(const float *x, float *y, int n,
                                           int tile, int first) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} depends on 'tile', which is not constant
    for (int i = t + first; i < tile; i += T)
      if (i >= 0)
        xs[i] = x[k + i] * 2;
    COMPUTE
  }
  y[t] = s;
}

// Through a pointer nothing tells how long the array is.
__global__ void __launch_bounds__(T) pointer(const float *x, float *y, int n,
                                             int tile) {
  __shared__ float all[2 * Most];
  float *xs = all + Most;
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} depends on 'tile', which is not constant
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    COMPUTE
  }
  y[t] = s;
}

// A loop without a counter in its header, nor one that could be there.
__global__ void __launch_bounds__(T) no_counter(const float *x, float *y, int n,
                                                int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch {{.*}} [kpipe-register-shape]
    // CHECK: tiles-of-runtime-size.cu:[[#@LINE-2]]:3: note: write the loop around the store as 'for (int i = ...; i < ...; i += ...)'
    int i = t;
    while (i < tile) {
      i += T;
      xs[i - T] = x[k + i - T] * 2;
    }
    COMPUTE
  }
  y[t] = s;
}
