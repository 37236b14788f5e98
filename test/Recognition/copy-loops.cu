// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops: how often the loops around a copy run, and which of their
// iterations a thread may have to leave out.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
copy_loops(const float *__restrict__ x, float *y, int n, int rows) {
  __shared__ float counted[4][T], even[8 * T], odd[100], any[100], unknown[64][T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop copy_loops
    for (int r = 0; r < 4; ++r)
      counted[r][threadIdx.x] = x[r * n + i + threadIdx.x];
      // CHECK: copy [[#@LINE-1]]:7 to counted, 4 bytes, fill none, loop of 4, async
    for (int r = threadIdx.x; r < 8 * T; r += T)
      even[r] = x[r * n + i];
      // CHECK: copy [[#@LINE-1]]:7 to even, {{.*}}, loop of 8 from an index of the thread, no part is partial, async
    for (int r = threadIdx.x; r < 100; r += T)
      odd[r] = x[r * n + i];
      // CHECK: copy [[#@LINE-1]]:7 to odd, {{.*}}, loop of 2 from an index of the thread, the last part may be partial, async
    for (int r = threadIdx.y; r < 100; r += 50)
      any[r] = x[r * n + i];
      // CHECK: copy [[#@LINE-1]]:7 to any, {{.*}}, loop of 2 from an index of the thread, any part may be partial, async
    for (int r = 0; r != rows; ++r)
      for (int c = 0; c < 1; ++c)
        unknown[r][threadIdx.x] = x[r * n + i + c];
        // CHECK: copy [[#@LINE-1]]:9 to unknown, {{.*}}, loop of ?, loop of 1, not async: {{.*}} same place
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += counted[j % 4][j] + even[j] + odd[j] + any[j] + unknown[j % rows][j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
