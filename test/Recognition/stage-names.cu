// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage names: each lambda declares the author's name as a reference to its
// stage. Where a reference is something else than the array, the text is changed
// (a closure that copies) or the array stays single.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;
#define FIRST by_macro[0]

__global__ void names(const float *__restrict__ x, float *y, int n) {
  __shared__ float plain[T], by_reference[T], copied[T], listed[T], asked[T],
      in_class[T], by_macro[T], viewed[T];
  float (&view)[T] = viewed;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop names
    plain[threadIdx.x] = x[i + threadIdx.x];
    by_reference[threadIdx.x] = x[i + threadIdx.x];
    copied[threadIdx.x] = x[i + threadIdx.x];
    listed[threadIdx.x] = x[i + threadIdx.x];
    asked[threadIdx.x] = x[i + threadIdx.x];
    in_class[threadIdx.x] = x[i + threadIdx.x];
    by_macro[threadIdx.x] = x[i + threadIdx.x];
    view[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += sizeof(plain) + plain[0];
    // CHECK-DAG: buffer plain {{.*}}, ring{{$}}
    sum += [&] { return by_reference[1]; }();
    // CHECK-DAG: buffer by_reference {{.*}}, ring{{$}}
    sum += [=] { return copied[2] + x[0]; }();
    // CHECK-DAG: buffer copied {{.*}}, ring{{$}}
    // CHECK-DAG: captured by copy [[#@LINE-2]]:25
    sum += [] { return listed[3]; }();
    // CHECK-DAG: buffer listed {{.*}}, single: 'listed' {{.*}} lambda
    decltype(asked) *pointer = &asked;
    sum += (*pointer)[4];
    // CHECK-DAG: buffer asked {{.*}}, single: 'asked' {{.*}} decltype
    struct Reader {
      __device__ float get() { return in_class[5]; }
    } reader;
    sum += reader.get();
    // CHECK-DAG: buffer in_class {{.*}}, single: 'in_class' {{.*}} local class
    // No text stands there that could be changed.
    sum += [=] { return FIRST + x[0]; }();
    // CHECK-DAG: buffer by_macro {{.*}}, single: a macro uses 'by_macro' {{.*}} copy
    // A reference to an array is copied with all that it refers to.
    sum += [=] { return view[6] + x[0]; }();
    // CHECK-DAG: buffer viewed {{.*}}, single: 'view' {{.*}} captures by copy
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
