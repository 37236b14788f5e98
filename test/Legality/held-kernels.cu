// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in variables that may be launched by others, or be other kernels: their
// launches do not ask for more.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="2 stages"

constexpr int T = 64;

#define KERNEL(name)                                                           \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n)
template <class F> void launch_any(F kernel, const float *x, float *y, int n) {
  kernel<<<1, T, T * sizeof(float)>>>(x, y, n);
}

// Handed on.
KERNEL(handed) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: held-kernels.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: held-kernels.cu:[[#@LINE+1]]:3: note: single buffer, because {{.*}} the launch in line [[#@LINE+12]] does not name the kernel
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_handed(const float *x, float *y, int n) {
  auto kernel = &handed;
  launch_any(kernel, x, y, n);
  kernel<<<1, T, T * sizeof(float)>>>(x, y, n);
}

// One of two.
KERNEL(chosen) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: held-kernels.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
KERNEL(other) { y[threadIdx.x] = x[threadIdx.x]; }
void run_chosen(const float *x, float *y, int n) {
  auto kernel = n > T ? &chosen : &other;
  kernel<<<1, T, T * sizeof(float)>>>(x, y, n);
}

// Another one by then, and one that is kept from call to call.
KERNEL(replaced) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: held-kernels.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_replaced(const float *x, float *y, int n) {
  auto kernel = &other;
  if (n > T)
    kernel = &replaced;
  kernel<<<1, T, T * sizeof(float)>>>(x, y, n);
  auto first = &replaced;
  first<<<1, T, T * sizeof(float)>>>(x, y, n);
}

// In a macro whose bytes are its own.
#define LAUNCH(kernel) kernel<<<1, T, T * sizeof(float)>>>(x, y, n)
KERNEL(by_macro) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: held-kernels.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_macro(const float *x, float *y, int n) {
  auto kernel = by_macro;
  LAUNCH(kernel);
}
