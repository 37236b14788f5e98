// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movable: a static array whose stages outgrow 48 KB becomes a part of dynamic
// shared memory if its type can be spelled in front of the kernel.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;
#define ARRAY(name) __shared__ float name[T]

__global__ void movable(const float *__restrict__ x, float *y, int n) {
  constexpr int Local = T;
  struct Own { float value; };
  __shared__ float plain[T];
  ARRAY(by_macro);
  __shared__ float first[T], second[T]; // both are staged
  __shared__ float third[T], other[T];
  __shared__ float sized[Local];
  __shared__ Own typed[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop movable
    __shared__ float inside[T];
    plain[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer plain 256 bytes, align 4, ring
    // CHECK-NOT: stays static
    by_macro[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer by_macro
    // CHECK-NEXT: stays static: 'by_macro' {{.*}} macro
    first[threadIdx.x] = x[i + threadIdx.x];
    second[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer second
    // CHECK-NOT: stays static
    third[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer third
    // CHECK-NEXT: stays static: 'third' {{.*}} together
    sized[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer sized
    // CHECK-NEXT: stays static: {{.*}} 'sized' {{.*}} 'Local'
    typed[threadIdx.x].value = x[i + threadIdx.x];
    // CHECK: buffer typed
    // CHECK-NEXT: stays static: {{.*}} 'typed' {{.*}} 'Own'
    inside[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer inside
    // CHECK-NEXT: stays static: 'inside' {{.*}} in the loop
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += plain[j] + by_macro[j] + first[j] + second[j] + third[j] + sized[j] +
             typed[j].value + inside[j] + (other[j] = j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
