// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a function's dynamic shared memory gets no stages: others may run it, or
// use the memory, so that no launch says what there is.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Two kernels run it.
__device__ float shared(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of smem
  // CHECK: note: single buffer, because 'smem' is dynamic shared memory, and the kernels that call the function determine its size
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  return sum;
}
__global__ void first(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = shared(x, n);
}
__global__ void second(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = -shared(x, n);
}

// The kernel has a name for the memory, too.
__device__ float named(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of smem
  // CHECK: note: single buffer, because 'smem' is dynamic shared memory, and 'rest' is another name for it
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  return sum;
}
__global__ void names(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float rest[];
  const float sum = named(x, n);
  y[threadIdx.x] = sum + rest[0];
}

// Somebody has its address.
__device__ float taken(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of smem
  // CHECK: note: single buffer, because 'smem' is dynamic shared memory, and the kernels that call the function determine its size
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  return sum;
}
typedef float (*Sum)(const float *, int);
__device__ Sum kept = taken;
__global__ void takes(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = taken(x, n);
}

// A member: calls of members are written in more ways.
struct Summer {
  __device__ float of(const float *__restrict__ x, int n) {
    extern __shared__ float smem[];
    float sum = 0;
    // CHECK: remark: pipelined K-loop: single buffer of smem
    // CHECK: note: single buffer, because 'smem' is dynamic shared memory, and the kernels that call the function determine its size
    for (int i = 0; i < n; i += T) {
      smem[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += smem[j];
      __syncthreads();
    }
    return sum;
  }
};
__global__ void members(const float *__restrict__ x, float *__restrict__ y, int n) {
  Summer all;
  y[threadIdx.x] = all.of(x, n);
}

// Another configuration has another kernel.
__device__ float left(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of smem
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and the kernels that call the function determine its size
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  return sum;
}
__global__ void takesLeft(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = left(x, n);
}
#if __CUDA_ARCH__ >= 900
__global__ void onHopper(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = -left(x, n);
}
#endif

// Nobody sees how its kernel is launched.
__device__ float afar(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of smem
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and this file does not launch the kernel
  // CHECK: note: for two stages, launches of 'launchedAfar' have to ask for kpipe::staged_bytes<2>(bytes)
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  return sum;
}
__global__ void launchedAfar(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = afar(x, n);
}

void run(const float *x, float *y, int n) {
  first<<<1, T, T * sizeof(float)>>>(x, y, n);
  second<<<1, T, 4096>>>(x, y, n);
  names<<<1, T, T * sizeof(float)>>>(x, y, n);
  takes<<<1, T, T * sizeof(float)>>>(x, y, n);
  members<<<1, T, T * sizeof(float)>>>(x, y, n);
  takesLeft<<<1, T, T * sizeof(float)>>>(x, y, n);
}
