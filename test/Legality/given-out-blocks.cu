// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that give dynamic shared memory out, and kernels that know it by
// more than what they make of that before the loop: a single buffer stays.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

constexpr int T = 64;

template <class E> __device__ E *shared_ptr() {
  extern __shared__ int raw[];
  return reinterpret_cast<E *>(raw);
}
__device__ float *aligned() {
  extern __shared__ char unrounded[];
  return reinterpret_cast<float *>(
      (reinterpret_cast<unsigned long long>(unrounded) + 127) & ~127ull);
}
__device__ float *cleared() {
  extern __shared__ float zeros[];
  zeros[threadIdx.x] = 0;
  return zeros;
}
__device__ float *either(bool second) {
  extern __shared__ float two[];
  if (second)
    return two + T;
  return two;
}
struct Asked {
  virtual __device__ float *get() {
    extern __shared__ float virt[];
    return virt;
  }
};


// In the loop the call gives the first stage.
__global__ void in_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = shared_ptr<float>();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: note: single buffer, because 'raw' is dynamic shared memory, and 'shared_ptr', which is called, also uses it
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += shared_ptr<float>()[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// Behind the loop as well.
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = shared_ptr<float>();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: note: single buffer, because 'raw' is dynamic shared memory, and 'shared_ptr', which is called, also uses it
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc + shared_ptr<float>()[threadIdx.x];
}

// Given to a pointer that is no name for one place.
__global__ void assigned(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s;
  s = shared_ptr<float>();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// Where it begins hangs on the address.
__global__ void rounded(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = aligned();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: {{remark: pipelined K-loop: single buffer|warning: not pipelined}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// Something is stored on the way.
__global__ void zeroed(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = cleared();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// By two ways.
__global__ void one_of_two(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = either(n > 4096);
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// By two names of the same bytes.
__global__ void two_names(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float own[];
  float *s = shared_ptr<float>();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: {{remark: pipelined K-loop: single buffer|warning: not pipelined}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += own[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// It is used in front of the loop: its contents would have to be copied by a
// name of all of it.
__global__ void before(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = shared_ptr<float>();
  s[T + threadIdx.x] = float(threadIdx.x);
  __syncthreads();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of {{.*}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * s[T + j];
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

__global__ void by_virtual(const float *__restrict__ x, float *__restrict__ y, int n) {
  Asked a;
  float *s = a.get();
  float acc = 0;
  // CHECK: given-out-blocks.cu:[[#@LINE+1]]:3: {{remark: pipelined K-loop: single buffer|warning: not pipelined}}
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

void run(const float *x, float *y, int n) {
  const int bytes = 2 * T * sizeof(float);
  in_loop<<<1, T, bytes>>>(x, y, n);
  behind<<<1, T, bytes>>>(x, y, n);
  assigned<<<1, T, bytes>>>(x, y, n);
  rounded<<<1, T, bytes + 128>>>(x, y, n);
  zeroed<<<1, T, bytes>>>(x, y, n);
  one_of_two<<<1, T, bytes>>>(x, y, n);
  two_names<<<1, T, bytes>>>(x, y, n);
  before<<<1, T, bytes>>>(x, y, n);
  by_virtual<<<1, T, bytes>>>(x, y, n);
}
