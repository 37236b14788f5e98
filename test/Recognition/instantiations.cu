// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All instantiations of a template share one text: what holds for some of them
// only is not used. The parts of the copy come out even for 64 threads and not
// for 48; the compute loop is short for 8 steps and not for 64.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s -- -DALONE 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE

template <int Threads, int Steps>
__global__ void __launch_bounds__(Threads)
shared_text(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK-LABEL: tile-loop shared_text
    // ALONE-LABEL: tile-loop shared_text
    for (int r = threadIdx.x; r < 256; r += Threads)
      tile[r] = x[i + r];
    // CHECK: copy [[#@LINE-1]]:7 {{.*}}, the last part may be partial, async
    // ALONE: copy [[#@LINE-2]]:7 {{.*}}, no part is partial, async
    __syncthreads();
    for (int j = 0; j < Steps; ++j)
      // CHECK-NOT: short loop
      // ALONE: short loop of the compute [[#@LINE-2]]:5
      sum += tile[j];
    __syncthreads();
    // CHECK: item
  }
  y[threadIdx.x] = sum;
}

template __global__ void shared_text<64, 8>(const float *, float *, int);
#ifndef ALONE
template __global__ void shared_text<48, 64>(const float *, float *, int);
#endif
