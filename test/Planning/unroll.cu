// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --unroll and its directive: as many copies of the body as stages, or one. An
// author's own pragma stays unless something else is asked for.
//
// RUN: %kpipe rewrite %s --arch=sm_86 --stages=3 --variant=cp-async -o %t.asked.cu --unroll=stages
// RUN: FileCheck %s --check-prefixes=CHECK,ASKED < %t.asked.cu
// RUN: %kpipe rewrite %s --arch=sm_86 --stages=3 --variant=cp-async -o %t.cu
// RUN: FileCheck %s --check-prefixes=CHECK,PLAIN < %t.cu
// RUN: %kpipe rewrite %s --arch=sm_86 --stages=3 --variant=cp-async -o %t.never.cu --unroll=never
// RUN: FileCheck %s --check-prefix=NEVER < %t.never.cu
//
// One buffer has no stage that could become a constant; the rest holds for it.
// RUN: %kpipe rewrite %s --arch=sm_86 --stages=1 -o %t.one.cu --unroll=never
// RUN: FileCheck %s --check-prefix=NEVER-ONE < %t.one.cu
// NEVER-ONE-LABEL: void plain{{[(]}}
// NEVER-ONE: {{^}}#pragma unroll 1
// NEVER-ONE-NEXT: {{^ *}}for (
// NEVER-ONE-LABEL: void own{{[(]}}
// NEVER-ONE: {{^}}#pragma unroll 1
// NEVER-ONE-NOT: {{^ *}}#pragma
// RUN: %kpipe rewrite %s --arch=sm_86 --stages=1 -o %t.one.cu --unroll=stages
// RUN: FileCheck %s --check-prefix=STAGES-ONE < %t.one.cu
// STAGES-ONE-LABEL: void plain{{[(]}}
// STAGES-ONE-NOT: {{^ *}}#pragma
// STAGES-ONE: void told{{[(]}}
//
// RUN: %kpipe analyze %s --arch=sm_86 --unroll=stages --report=%t.json >/dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON-COUNT-3: "unroll": "stages"
// JSON-NOT: "unroll"

constexpr int T = 64;

__global__ void plain(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void plain{{[(]}}
// NEVER-LABEL: void plain{{[(]}}
// NEVER: {{^}}#pragma unroll 1
// NEVER-NOT: {{^ *}}#pragma
// ASKED: {{^ *}}// kpipe: pipelined
// ASKED-NEXT: {{^}}#pragma unroll 3
// ASKED-NEXT: {{^ *}}for
// ASKED-NOT: {{^ *}}#pragma
// PLAIN-NOT: {{^ *}}#pragma

// kpipe: unroll=stages
__global__ void told(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void told{{[(]}}
// NEVER-LABEL: void told{{[(]}}
// NEVER: {{^}}#pragma unroll 3
// NEVER-NOT: {{^ *}}#pragma
// CHECK: {{^}}#pragma unroll 3
// CHECK-NOT: {{^ *}}#pragma

__global__ void own(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: void own{{[(]}}
// NEVER-LABEL: void own{{[(]}}
// NEVER: {{^}}#pragma unroll 1
// NEVER-NOT: {{^ *}}#pragma
// ASKED: {{^}}#pragma unroll 3
// PLAIN: {{^}}#pragma unroll 1
// CHECK-NOT: {{^ *}}#pragma
