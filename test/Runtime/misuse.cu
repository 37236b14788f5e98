// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each misuse is a static_assert that says what is wrong.
//
// RUN: not %clang-bare --cuda-gpu-arch=sm_86 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %clang-bare --cuda-gpu-arch=sm_75 -fsyntax-only %s 2>&1 | FileCheck %s
#include <kpipe/pipeline.h>

__device__ void next_of_none() {
  // CHECK: error: static assertion failed{{.*}} kpipe::next_stage needs a ring of 1 or more stages
  kpipe::next_stage<0>(0);
}

__device__ void previous_of_none() {
  // CHECK: error: static assertion failed{{.*}} kpipe::previous_stage needs a ring of 1 or more stages
  kpipe::previous_stage<0>(0);
}

__device__ int stages_of_none() {
  // CHECK: error: static assertion failed{{.*}} kpipe::staged_bytes needs 1 or more stages
  return kpipe::staged_bytes<0>(4);
}

__device__ void mixed(float *dst, const int *src) {
  // CHECK: error: no matching function for call to 'copy_async'
  // CHECK: deduced conflicting types for parameter '_Tp' ('float' vs. 'int')
  kpipe::copy_async(dst, src);
}

struct FourFloats {
  float v[4];
};
struct alignas(8) WithVirtual {
  virtual ~WithVirtual();
};

template <typename T> __device__ void both(const T *src) {
  __shared__ char raw[64];
  T *dst = reinterpret_cast<T *>(raw);
  kpipe::copy_async(dst, src);
  kpipe::copy_async_zfill(dst, src, true);
}

// CHECK: error: static assertion failed{{.*}} kpipe::bytes_per_stage needs 1 or more stages
__device__ int stage_of_none() { return kpipe::bytes_per_stage<0>(); }

// CHECK: copy_async.h{{.*}} error: static assertion failed{{.*}} kpipe::copy_async copies 4, 8 or 16 bytes
// CHECK: copy_async_zfill.h{{.*}} error: static assertion failed{{.*}} kpipe::copy_async_zfill copies 4, 8 or 16 bytes
template __device__ void both(const short *);
// CHECK: error: static assertion failed{{.*}} kpipe::copy_async copies 4, 8 or 16 bytes
template __device__ void both(const float3 *);
// CHECK: error: static assertion failed{{.*}} kpipe::copy_async needs a type aligned to its size
// CHECK: error: static assertion failed{{.*}} kpipe::copy_async_zfill needs a type aligned to its size
template __device__ void both(const FourFloats *);
// CHECK: error: static assertion failed{{.*}} kpipe::copy_async copies bytes and runs no copy constructor
// CHECK: error: static assertion failed{{.*}} kpipe::copy_async_zfill copies bytes and runs no copy constructor
template __device__ void both(const WithVirtual *);

__device__ void wait_for_less_than_none() {
  // CHECK: error: static assertion failed{{.*}} kpipe::wait_prior leaves 0 or more groups pending
  kpipe::wait_prior<-1>();
}
// CHECK: {{[0-9]+}} errors generated
