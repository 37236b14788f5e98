// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running the threads of a block finds by itself, with the rule on orders
// of asynchronous copies switched off: one thread, one place, twice. Each kernel
// has a twin that keeps its places apart.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   --variant=cp-async %s 2>&1 | FileCheck %s

constexpr int T = 64;

// A helper that is called twice; one thread of all is under the second guard.
__device__ void copy(float *to, const float *from, int at) {
  to[at] = from[at];
  // CHECK: async_places.cu:[[@LINE-1]]:3: warning: not pipelined: thread (63, 0, 0) of a (64, 1, 1) block may write byte 252 of 'xs' twice for one tile, and cp.async copies are unordered [kpipe-memory-order]
}
__global__ void __launch_bounds__(T)
helpers(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    copy(xs, x + i, threadIdx.x);
    if (int(threadIdx.x) + 1 >= T)
      copy(xs, x, threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void __launch_bounds__(T)
helpers_apart(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 1];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    copy(xs, x + i, threadIdx.x);
    if (int(threadIdx.x) + 1 >= T)
      copy(xs + 1, x, threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The last turn of a copy loop comes back to the first one's row.
// CHECK: async_places.cu:[[@LINE+8]]:7: warning: not pipelined: thread ({{.*}}) of a (8, 8, 1) block may write byte {{[0-9]+}} of 'xs' twice for one tile
__global__ void
turns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const unsigned at = threadIdx.y * 8 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r <= 32; r += 16)
      xs[(at + 2 * r) & (T - 1)] = x[i + r + at];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[at] = sum;
}
// CHECK: async_places.cu:[[@LINE+6]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void
turns_apart(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[3 * T];
  const unsigned at = threadIdx.y * 8 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r <= 32; r += 16)
      xs[at + 4 * r] = x[i + r + at];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[at] = sum;
}
void launch(const float *x, float *y, int n) {
  turns<<<1, dim3(8, 8)>>>(x, y, n);
  turns_apart<<<1, dim3(8, 8)>>>(x, y, n);
}

// What the host passes decides.
// CHECK: async_places.cu:[[@LINE+8]]:5: warning: not pipelined: thread ({{.*}}) of a (64, 1, 1) block may write byte {{[0-9]+}} of 'xs' twice for one tile
// CHECK: async_places.cu:[[@LINE+6]]:5: note: the first of them is here
__global__ void __launch_bounds__(T)
parameter(const float *__restrict__ x, float *__restrict__ y, int n, int far) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    xs[(threadIdx.x + far) % T] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Guards that exclude each other, whatever is passed.
// CHECK: async_places.cu:[[@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void __launch_bounds__(T)
guards(const float *__restrict__ x, float *__restrict__ y, int n, int far) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (int(threadIdx.x) < far)
      xs[threadIdx.x] = x[i + threadIdx.x];
    if (int(threadIdx.x) >= far)
      xs[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two arrays, and a row that is not where its variable began.
// CHECK: async_places.cu:[[@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, ws, cp.async
__global__ void __launch_bounds__(T)
rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T], ws[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x + T] = x[i + threadIdx.x];
    xs[threadIdx.x] = x[threadIdx.x];
    ws[threadIdx.x] = x[i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j) - ws[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[@LINE+7]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void __launch_bounds__(T)
far_rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  int far = 0;
  far += T;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x + far] = x[i + threadIdx.x];
    xs[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
