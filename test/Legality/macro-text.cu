// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Id macro-text: what has to be edited must be spelled where it stands, not inside a
// macro.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Macros around values and accesses are fine.
#define AT(i, j) ((i) + (j))
#define FLOAT4(v) (reinterpret_cast<float4 *>(&(v))[0])
__global__ void accesses(float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 4 * T) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    FLOAT4(xs[4 * threadIdx.x]) = FLOAT4(x[AT(i, 4 * threadIdx.x)]);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The whole copy is a macro: it is read where it stands.
#define COPY(to, from) to[threadIdx.x] = from[i + threadIdx.x]
__global__ void copy(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    COPY(xs, x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop's header is a macro.
#define TILES(i) for (int i = 0; i < n; i += T)
__global__ void header(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  TILES(i) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: warning: not pipelined: the loop's condition is hidden in a macro [kpipe-macro-text]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The whole body is one.
#define BODY                                                                   \
  {                                                                            \
    xs[threadIdx.x] = x[i + threadIdx.x];                                      \
    __syncthreads();                                                           \
    for (int j = 0; j < T; ++j)                                                \
      sum += xs[j];                                                            \
    __syncthreads();                                                           \
  }
__global__ void body(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T)
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    BODY
  y[threadIdx.x] = sum;
}

// A tile's registers stand in front of the loop, where its own type is not known.
__global__ void type_of_loop(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 2 * T) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: warning: not pipelined: the registers of a tile would be made of 'Two', which is declared inside the loop; declare it before [kpipe-macro-text]
    struct Two {
      float a, b;
    };
    *(Two *)&xs[2 * threadIdx.x] = *(const Two *)&x[i + 2 * threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The end of a statement is one.
#define END ;
__global__ void end(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: warning: not pipelined: a macro contains the end of a statement of the loop's body [kpipe-macro-text]
    xs[threadIdx.x] = x[i + threadIdx.x] END
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A name of the copy goes on in the next line.
__global__ void joined(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: macro-text.cu:[[#@LINE-1]]:3: warning: not pipelined: a copy is written over lines that a backslash joins [kpipe-macro-text]
    xs[thread\
Idx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
