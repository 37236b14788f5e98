// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops up to a bound that only the run knows, whose turns no array's size
// limits, or whose limit cannot be named in the text of all instances. The
// reason is the loop's own.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="kpipe-pipelined"
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not="kpipe-pipelined"
// OFF-COUNT-5: warning: not pipelined

constexpr int T = 64, Most = 160;
__device__ void put(float *zs, int i, const float *x) { zs[i] = *x; }

// The helper stores more elements than the copy beside its call.
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on 'tile'
__global__ void __launch_bounds__(T)
    beside_a_helper(const float *__restrict__ x, float *__restrict__ y, int n,
                    int tile) {
  __shared__ float xs[Most];
  __shared__ float zs[320];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T) {
      if (i < Most)
        xs[i] = x[k + i] * 2;
      put(zs, i, x + k + i);
    }
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += zs[i] * (i ^ t) + (i < Most ? xs[i] : 0);
    __syncthreads();
  }
  y[t] = sum;
}

// The same array, a helper in front of it.
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on 'tile'
__global__ void __launch_bounds__(T)
    behind_a_helper(const float *__restrict__ x, float *__restrict__ y, int n,
                    int tile) {
  __shared__ float zs[320];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T) {
      put(zs, i + Most, x + k + i);
      zs[i] = x[k + i] * 3;
    }
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += zs[i] * (i ^ t) + zs[i + Most];
    __syncthreads();
  }
  y[t] = sum;
}

// In a template each instance has a size of its own, which is hidden.
// CHECK: warning: not pipelined: a copy loop runs up to an array's size, and the loop hides a name that the size is spelled with
template <int Len>
__global__ void __launch_bounds__(T)
    hidden_in_template(const float *__restrict__ x, float *__restrict__ y,
                       int n, int tile) {
  constexpr int Size = Len * 2;
  __shared__ float xs[Size];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    const int Size = k;
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 2 + Size;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void hidden_in_template<80>(const float *, float *, int,
                                                int);
template __global__ void hidden_in_template<96>(const float *, float *, int,
                                                int);

// A bound in memory, which nobody here follows.
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
__global__ void __launch_bounds__(T)
    bound_in_shared(const float *__restrict__ x, float *__restrict__ y, int n,
                    int tile) {
  __shared__ float xs[Most];
  __shared__ int left;
  const int t = threadIdx.x;
  float sum = 0;
  left = tile;
  __syncthreads();
  for (int k = 0; k < n; k += Most) {
    for (int i = t; i < left; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < Most; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
__constant__ int Length;
__global__ void __launch_bounds__(T)
    bound_in_constant(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += Most) {
    for (int i = t; i < Length; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < Most; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
