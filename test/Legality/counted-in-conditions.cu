// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that step a variable, and what they ask for cannot be had ahead:
// the step is not always taken, the variable is named twice, wraps in a narrow
// type, is stepped by the header or changed by the body as well.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="kpipe-pipelined"
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not="kpipe-pipelined"
// OFF-COUNT-9: warning: not pipelined

constexpr int T = 64;
#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define USE                                                                    \
  __syncthreads();                                                             \
  sum = sum * 2 + xs[threadIdx.x ^ 1];                                         \
  __syncthreads();

// CHECK: warning: not pipelined: the loop condition changes 'n' and cannot be evaluated ahead
BEGIN(not_always) {
  __shared__ float xs[T];
  float sum = 0;
  const bool ok = n > 2;
  while (ok && n--) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum + n;
}
// CHECK: warning: not pipelined: the loop condition changes 'n' and cannot be evaluated ahead
BEGIN(named_twice) {
  __shared__ float xs[T];
  float sum = 0;
  while (n-- && n != 4) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum + n;
}
// CHECK: warning: not pipelined: the loop condition changes 'left' and cannot be evaluated ahead
BEGIN(narrow) {
  __shared__ float xs[T];
  float sum = 0;
  unsigned char left = n;
  while (left--) {
    xs[threadIdx.x] = x[left * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum + left;
}
// CHECK: warning: not pipelined: the loop condition changes 'p' and cannot be evaluated ahead
BEGIN(pointer) {
  __shared__ float xs[T];
  float sum = 0;
  const float *p = x;
  while (p++ != x + n) {
    xs[threadIdx.x] = p[threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: the loop condition changes 'n' and cannot be evaluated ahead
BEGIN(in_arithmetic) {
  __shared__ float xs[T];
  float sum = 0;
  while (2 * n--) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: the loop condition changes 'n' and cannot be evaluated ahead
BEGIN(by_two) {
  __shared__ float xs[T];
  float sum = 0;
  while ((n -= 2) > 0) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: the loop step changes 'i' twice
BEGIN(stepped_twice) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = n; i-- > 0; --i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: the body changes 'n', which the loop condition reads
BEGIN(changed_in_body) {
  __shared__ float xs[T];
  float sum = 0;
  while (n--) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    __syncthreads();
    sum = sum * 2 + xs[threadIdx.x ^ 1];
    if (n & 1)
      n -= 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: the loop condition changes 'n' and cannot be evaluated ahead
BEGIN(other_name) {
  __shared__ float xs[T];
  float sum = 0;
  int &r = n;
  while (r--) {
    xs[threadIdx.x] = x[n * T + threadIdx.x];
    USE
  }
  y[threadIdx.x] = sum;
}
