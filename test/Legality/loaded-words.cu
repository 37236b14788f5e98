// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that are given what the call has loaded, and ask for more than a value
// of it. The legal ones are in Kernels/loaded_words.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="kpipe-pipelined"

constexpr int T = 32;

__device__ void placed(float *to, const float *from, int at) { to[at] = *from * at; }
__device__ void asked(float *to, const float *from, int least) {
  if (*from > least || least > 3)
    to[0] = *from;
}

// Where it is stored.
__global__ void place(const float *__restrict__ x, const int *__restrict__ at,
                      float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  const int t = threadIdx.x;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}a helper is given a loaded value, which the store would load again
  for (int k = 0; k < n; ++k) {
    placed(s, x + k * T + t, at[t]);
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum += s[r];
    __syncthreads();
  }
  y[t] = sum;
}

// Whether it is.
__global__ void guard(const float *__restrict__ x, const int *__restrict__ at,
                      float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  const int t = threadIdx.x;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}whether a value is stored depends on a loaded value
  for (int k = 0; k < n; ++k) {
    asked(&s[t], x + k * T + t, at[k]);
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum += s[r];
    __syncthreads();
  }
  y[t] = sum;
}
