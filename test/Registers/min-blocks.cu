// --min-blocks: what is written into the launch bounds of a kernel, and where
// nothing is. Forms with it are executed like others.
// REQUIRES: executor
// RUN: %kpipe rewrite %s --arch=sm_90 --min-blocks=4 -o %t.cu 2>%t.err
// The comments are not asked, and lines may be broken otherwise.
// RUN: sed '\:^//:d' %t.cu | tr -s '\n ' ' ' | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.err
// RUN: %variants --ways=few --option=--min-blocks=4 --at-least=6 %s
#ifdef KPIPE_HARNESS
#include "../Kernels/harness.h"
#endif

// CHECK: __launch_bounds__(64, 4) no_minimum(
__global__ void __launch_bounds__(64)
no_minimum(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __launch_bounds__(64 /* threads */, 4) smaller(
__global__ void __launch_bounds__(64 /* threads */, 1 + 1) smaller(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __launch_bounds__(64, 8) larger(
__global__ void __launch_bounds__(64, 8) larger(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __launch_bounds__(64, 4, 1) cluster(
__global__ void __launch_bounds__(64, 2, 1) cluster(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: template <int N> __global__ void __launch_bounds__(N, 4) threads_of_template(
template <int N> __global__ void __launch_bounds__(N) threads_of_template(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __attribute__((launch_bounds(64, 4))) attribute(
__global__ void __attribute__((launch_bounds(64))) attribute(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: extern "C" __global__ void __launch_bounds__(64, 4) none(
extern "C" __global__ void none(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: template <class T> static __global__ void __launch_bounds__(64, 4) none_of_template(
template <class T> static __global__ void none_of_template(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __global__ void several_sizes(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__global__ void several_sizes(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __global__ void unknown_size(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__global__ void unknown_size(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __global__ void named(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
void *taken();
__global__ void named(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: template <int N> __global__ void __launch_bounds__(64, N) dependent(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the minimum depends on template arguments
template <int N> __global__ void __launch_bounds__(64, N) dependent(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __global__ void BOUNDS in_macro(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the kernel's declaration is not spelled out, but made by a macro
#define BOUNDS __launch_bounds__(64)
__global__ void BOUNDS in_macro(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: NAME(name_of_macro)
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the kernel's declaration is not spelled out, but made by a macro
#define NAME(X) static __global__ void X
NAME(name_of_macro)(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: #ifdef BIG
// NOTE: :[[#@LINE+10]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: a preprocessor directive is in the kernel's declaration
__global__ void
#ifdef BIG
__launch_bounds__(128)
#else
__launch_bounds__(64)
#endif
configured(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __global__ void __launch_bounds__(64) twice(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: several declarations of the kernel have bounds
__global__ void __launch_bounds__(64) twice(const float *, float *, int);
__global__ void __launch_bounds__(64) twice(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __launch_bounds__(64, 4) declared_once(
__global__ void __launch_bounds__(64) declared_once(const float *, float *, int);
__global__ void declared_once(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: template <> __global__ void __launch_bounds__(64) special<3>(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the kernel is an explicit specialization
template <int N> __global__ void special(const float *, float *, int);
template <> __global__ void __launch_bounds__(64) special<3>(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: __device__ void helper(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the loop is in a function that kernels call
__device__ void helper(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) caller(const float *x, float *y, int n) {
  helper(x, y, n);
}

// Loops of one kernel: the one below asks for another number.
// CHECK: __launch_bounds__(64, 3) two_loops(
// NOTE: note: no minimum of 4 blocks is written into __launch_bounds__: a loop above asks for 3 blocks of the same kernel
__global__ void __launch_bounds__(64) two_loops(const float *x, float *y, int n) {
  __shared__ float xs[64], ys[64];
  float sum = 0;
  // kpipe: min-blocks=3
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  for (int k = 0; k < n; k += 64) {
    ys[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum -= ys[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void launch_all(const float *x, float *y, int n) {
  no_minimum<<<1, 64>>>(x, y, n);
  smaller<<<1, 64>>>(x, y, n);
  larger<<<1, 64>>>(x, y, n);
  cluster<<<1, 64>>>(x, y, n);
  threads_of_template<64><<<1, 64>>>(x, y, n);
  attribute<<<1, 64>>>(x, y, n);
  none<<<1, dim3(32, 2)>>>(x, y, n);
  none_of_template<int><<<1, 64>>>(x, y, n);
  none_of_template<char><<<1, 64>>>(x, y, n);
  several_sizes<<<1, 64>>>(x, y, n);
  several_sizes<<<1, 32>>>(x, y, n);
  unknown_size<<<1, n>>>(x, y, n);
  named<<<1, 64>>>(x, y, n);
  dependent<2><<<1, 64>>>(x, y, n);
  in_macro<<<1, 64>>>(x, y, n);
  name_of_macro<<<1, 64>>>(x, y, n);
  configured<<<1, 64>>>(x, y, n);
  twice<<<1, 64>>>(x, y, n);
  declared_once<<<1, 64>>>(x, y, n);
  special<3><<<1, 64>>>(x, y, n);
  caller<<<1, 64>>>(x, y, n);
  two_loops<<<1, 64>>>(x, y, n);
}
void *taken() { return (void *)&named; }

#ifdef KPIPE_HARNESS
template <class Kernel> void run(Kernel kernel) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, kernel, x, y, n);
  }
}
CASE(no_minimum) { run(no_minimum); }
CASE(smaller) { run(smaller); }
CASE(larger) { run(larger); }
CASE(cluster) { run(cluster); }
CASE(attribute) { run(attribute); }
CASE(two_loops) { run(two_loops); }
#endif
