// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which helpers go when only their clones are called any more, and which
// parameters a clone does without.
// REQUIRES: executor
// RUN: %variants --at-least=10 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg -o %t.cu
// RUN: FileCheck %s < %t.cu
//
// Other device code may declare what is not static.
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg -o %t.cu -- -rdc=true
// RUN: FileCheck %s --check-prefix=RDC < %t.cu
//
// CHECK-NOT: {{ (go|gone)\(}}
// CHECK-DAG: void by_address(
// CHECK-DAG: void by_name(
// CHECK-DAG: void by_string(
// CHECK-DAG: void by_other(
// CHECK-DAG: void by_macro(
// CHECK-DAG: void by_paste(
// CHECK-DAG: void by_c(
// CHECK-DAG: void declared(float *to, const float *from, int at);
// RDC-DAG: void go(
// RDC-NOT: {{ gone\(}}

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// It goes, with what is said of it, and neither half asks for all of this.
__device__ void go(float *to, const float *from, int at, int unused) {
  to[threadIdx.x] = from[at + threadIdx.x] + 1;
}
KERNEL(goes) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    go(xs, x, k, n);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// RDC-DAG: void go_fetch(const float *from, int at,
// RDC-DAG: void go_store(float *to, const go_tile &tile)

static __device__ void gone(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 2;
}
KERNEL(goes_too) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    gone(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Somebody asks for its address.
__device__ void by_address(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 3;
}
KERNEL(address) {
  __shared__ float xs[T];
  void (*f)(float *, const float *, int) = by_address;
  float sum = f != nullptr;
  for (int k = 0; k < n; k += T) {
    by_address(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Code that the preprocessor leaves out names it.
__device__ void by_name(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 4;
}
KERNEL(name) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_name(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
#if 0
  by_name(xs, x, 0);
#endif
  y[threadIdx.x] = sum;
}

// So does a string, which somebody may look symbols up with.
__device__ void by_string(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 5;
}
__device__ const char *const Symbol = "by_string";
KERNEL(string) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_string(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Another function calls it.
__device__ void by_other(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 6;
}
__global__ void other(float *y) {
  __shared__ float xs[T];
  by_other(xs, y, 0);
}
KERNEL(called) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_other(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A macro pastes its name.
__device__ void by_macro(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 7;
}
#define BY(Name) by_##Name
KERNEL(pasted) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_macro(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  if (n < 0)
    BY(macro)(xs, x, 0);
  y[threadIdx.x] = sum;
}

// So does one in text that this pass leaves out.
__device__ void by_paste(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 7.5f;
}
#define MADE(Name) by_##Name
#if !defined(__CUDA_ARCH__)
inline void host() { (void)MADE(paste); }
#endif
KERNEL(skipped) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_paste(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Other languages find it.
extern "C" __device__ void by_c(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 8;
}
KERNEL(c) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    by_c(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Its declaration would be left alone.
__device__ void declared(float *to, const float *from, int at);
__device__ void declared(float *to, const float *from, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 9;
}
KERNEL(declares) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    declared(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n + T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(goes) { run(goes); }
CASE(goes_too) { run(goes_too); }
CASE(address) { run(address); }
CASE(name) { run(name); }
CASE(string) { run(string); }
CASE(called) { run(called); }
CASE(pasted) { run(pasted); }
CASE(skipped) { run(skipped); }
CASE(c) { run(c); }
CASE(declares) { run(declares); }
#endif
