// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule carried-scalar: arrays in registers that both regions use, in which
// something is handed from one of them to the other, or from tile to tile. With
// the rule off the check of the result refuses them as well.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='pipelined K-loop'
// RUN: env KPIPE_RULES_OFF=private-arrays %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck --check-prefix=OFF %s
// OFF-NOT: pipelined K-loop
// OFF: no loop was pipelined

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// The compute reads what the load left.
BEGIN(handed_over) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the load region and read by the compute region [kpipe-carried-scalar]
    r[1] = r[0] * 3;
    xs[t] = r[0];
    __syncthreads();
    r[0] = xs[t ^ 1];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
    sum += r[0] + r[1];
    __syncthreads();
  }
  y[t] = sum;
}

// An element that is written in some turns only.
BEGIN(perhaps) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = r[1] = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the load region and read by the compute region [kpipe-carried-scalar]
    xs[t] = r[0] * r[1];
    __syncthreads();
    for (int i = 0; i < 2; ++i)
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
      if (xs[t ^ i] > 0)
        r[i] = xs[t ^ i];
    for (int i = 0; i < 2; ++i)
      sum += r[i];
    __syncthreads();
  }
  y[t] = sum;
}

// One element fewer than is read.
BEGIN(one_less) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[3];
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 3; ++i)
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the load region and read by the compute region [kpipe-carried-scalar]
      r[i] = x[k + t + i];
    xs[t] = r[0] * r[1] - r[2];
    __syncthreads();
    for (int i = 0; i < 2; ++i)
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
      r[i] = xs[t ^ i];
    for (int i = 0; i < 3; ++i)
      sum += r[i];
    __syncthreads();
  }
  y[t] = sum;
}

// An index that is not known may be any element.
BEGIN(any_element) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = r[1] = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the load region and read by the compute region [kpipe-carried-scalar]
    xs[t] = r[0] * r[1];
    __syncthreads();
    r[0] = xs[t ^ 1];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
    sum += r[t & 1];
    __syncthreads();
  }
  y[t] = sum;
}

// The load begins with what the compute left.
BEGIN(from_tile_to_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2] = {0, 1};
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t] + r[0];
    __syncthreads();
    for (int i = 0; i < 2; ++i)
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
      r[i] = xs[t ^ i];
    sum += r[0] - r[1];
    __syncthreads();
  }
  y[t] = sum;
}

// The loop leaves it before it writes all.
BEGIN(left_early) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = r[1] = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the load region and read by the compute region [kpipe-carried-scalar]
    xs[t] = r[0] * r[1];
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
      if (xs[i] > 3)
        break;
      r[i] = xs[t ^ i];
    }
    sum += r[0] - r[1];
    __syncthreads();
  }
  y[t] = sum;
}

// Each side fills what it reads, but what the last tile left is read behind the
// loop: there the compute of the tile before would come last.
BEGIN(read_behind) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = x[k + t];
    xs[t] = r[0] * 2;
    __syncthreads();
    if (k & T)
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'r' is written by the compute region and read by the load region [kpipe-carried-scalar]
      r[0] = xs[t ^ 1];
    sum += xs[t ^ 3];
    __syncthreads();
  }
  y[t] = sum + (n ? r[0] : 0);
}
