// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule register-shape: a tile waits in registers only if the number of elements
// is a constant, and where each goes does not depend on what was loaded or
// moved on.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

__global__ void counted(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    for (int j = 0; j < T / 32; ++j)
      xs[threadIdx.x + j * 32] = x[i + threadIdx.x + j * 32] / 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void not_counted(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here, so their registers cannot be counted; --block=X,Y,Z says what it is (registers, because its value is computed or converted, not copied) [kpipe-register-shape]
    for (int j = threadIdx.x; j < T; j += blockDim.x)
      xs[j] = x[i + j] / 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void loaded_place(const int *__restrict__ place,
                             const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because where a value is stored depends on a loaded value (registers, because which elements of 'xs' are stored varies from iteration to iteration) [kpipe-register-shape]
    xs[place[i + threadIdx.x] % T] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void jumps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a jump decides how much of a tile is stored (registers, because {{.*}}) [kpipe-register-shape]
    for (int j = 0; j < 4; ++j) {
      if (j > threadIdx.x % 4)
        break;
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] / 2;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The launch tells how many elements each thread copies.
__global__ void launched(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    for (int j = threadIdx.x; j < T; j += blockDim.x)
      xs[j] = x[i + j] / 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch(const float *x, float *y, int n) { launched<<<1, 32>>>(x, y, n); }

// Two launches differ; the trip count of the second is no constant at all, which
// no size of the blocks would change.
__global__ void launched_twice(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < T; j += blockDim.x)
      xs[j] = x[i + j] / 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch_twice(const float *x, float *y, int n) {
  launched_twice<<<1, 32>>>(x, y, n);
  launched_twice<<<1, 64>>>(x, y, n);
}
__global__ void varies_besides(const float *__restrict__ x,
                               float *__restrict__ y, int n, int width) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: register-shape.cu:[[#@LINE-1]]:3: warning: not pipelined: {{.*}} the number of elements that a thread copies is not constant
    for (int j = threadIdx.x; j < width; j += blockDim.x)
      xs[j] = x[i + j] / 2;
    __syncthreads();
    for (int j = 0; j < width; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
