// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in two arms that do not store the same places: one buffer is left,
// whose elements keep what the last tile left there.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

__device__ void load(float *s, const float *__restrict__ x, int k) {
  s[threadIdx.x] = x[k + threadIdx.x];
}
__device__ void load_guarded(float *s, const float *__restrict__ x, int k, int n) {
  if (k + int(threadIdx.x) < n)
    s[threadIdx.x] = x[k + threadIdx.x];
}
BEGIN(no_fill) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + T <= n)
      load(xs, x, k);
    else
      load_guarded(xs, x, k, n);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One function, another place.
BEGIN(other_half) {
  __shared__ float xs[2 * T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k & T)
      load(xs, x, k);
    else
      load(xs + T, x, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The place is made in the function, of what the calls give.
__device__ void load_at(float *s, int begin, const float *__restrict__ x, int k) {
  const int at = begin + threadIdx.x;
  s[at] = x[k + threadIdx.x];
}
BEGIN(other_begin) {
  __shared__ float xs[2 * T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k & T)
      load_at(xs, 0, x, k);
    else
      load_at(xs, T, x, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Fewer rows.
template <int Rows>
__device__ void load_rows(float *s, const float *__restrict__ x, int k) {
  for (int r = 0; r < Rows; ++r)
    s[r * T + threadIdx.x] = x[k + r * T + threadIdx.x];
}
BEGIN(fewer_rows) {
  __shared__ float xs[4 * T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + 4 * T <= n)
      load_rows<4>(xs, x, k);
    else
      load_rows<1>(xs, x, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One arm has no call, or one for some threads.
BEGIN(some_threads) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k & T) {
      load(xs, x, k);
    } else {
      if (threadIdx.x < 32)
        load(xs, x, k + 1);
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The parameter is changed in one of them.
__device__ void load_behind(float *s, const float *__restrict__ x, int k) {
  s += 1;
  s[threadIdx.x] = x[k + threadIdx.x];
}
BEGIN(moved_parameter) {
  __shared__ float xs[T + 1];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k & T)
      load(xs, x, k);
    else
      load_behind(xs, x, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
