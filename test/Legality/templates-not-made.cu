// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template of which there is no instance calls nothing; but where calls do not
// parse, it may be one of these that is called.
// RUN: %kpipe rewrite --dry-run --arch=sm_75 %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %kpipe rewrite --dry-run --arch=sm_75 %s -- -DERRORS 2>&1 | FileCheck %s --check-prefix=ERRORS

__global__ void strided(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  // WHOLE: [[#@LINE+2]]:3: remark: pipelined K-loop: 2 stages of tile, registers
  // ERRORS: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}depends on blockDim, which is not constant here
  for (int i = 0; i < n; i += 256) {
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
static void launch(const float *x, float *y, int n, int threads) {
  strided<<<1, threads>>>(x, y, n);
}
template <class T> void with_half(T x, T y, int n) {
  launch(x.data(), y.data(), n, 32);
}
void run(const float *x, float *y, int n) { launch(x, y, n, 64); }
#ifdef ERRORS
void run(lib::Tensor x, lib::Tensor y, int n) { with_half(x, y, n); }
#endif
