// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements whose default constructor is not known to do nothing but to give its
// own members values: they cannot wait in registers, which would make some.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='remark: pipelined'

constexpr int T = 64;

__device__ int made;
struct Counts {
  float v, w;
  __device__ Counts() : v(0) { ++made; }
};
struct Adds {
  float v, w;
  __device__ Adds() { v = float(atomicAdd(&made, 1)); }
};
struct Assembled {
  float v, w;
  __device__ Assembled() { asm volatile("mov.f32 %0, 0f00000000;" : "=f"(v)); }
};
struct Reads {
  float v, w;
  __device__ Reads(int n = made) : v(float(n)) {}
};
struct Elsewhere {
  float v, w;
  __device__ Elsewhere();
};
struct Writes {
  float v, w;
  __device__ Writes(float *to = nullptr) : v(1) {
    if (to)
      *to = v;
  }
};
struct OfHost {
  float v, w;
  constexpr OfHost() : v(0), w(1) {}
};
struct Part {
  Counts inner;
};
struct Dies {
  float v, w;
  __device__ Dies() : v(0) {}
  __device__ Dies(const Dies &) = default;
  __device__ Dies &operator=(const Dies &) = default;
  __device__ ~Dies() { ++made; }
};
class Hidden {
  __device__ Hidden() : v(0) {}

public:
  float v, w;
};
struct Watched {
  volatile float v, w;
  __device__ Watched() : v(0) {}
  __device__ Watched(const Watched &w) : v(w.v) {}
};
struct Waits {
  float v, w;
  __device__ Waits() {
    __syncwarp();
    v = 0;
  }
};

__global__ void __launch_bounds__(T)
of_counts(const Counts *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Counts *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Counts' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_adds(const Adds *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Adds *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Adds' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_assembled(const Assembled *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Assembled *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Assembled' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_reads(const Reads *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Reads *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Reads' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_elsewhere(const Elsewhere *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Elsewhere *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_writes(const Writes *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Writes *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Writes' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_part(const Part *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Part *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Part' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_ofhost(const OfHost *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<OfHost *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'OfHost' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_dies(const Dies *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Dies *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_hidden(const Hidden *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Hidden *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_watched(const Watched *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Watched *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
__global__ void __launch_bounds__(T)
of_waits(const Waits *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float raw[5 * T];
  auto *s = reinterpret_cast<Waits *>(raw);
  float acc = 0;
  // CHECK: made-noisily.cu:[[#@LINE+1]]:3: warning: not pipelined: {{.*}}values of 'Waits' cannot wait in registers: it lacks a trivial default constructor or destructor
  for (int k = 0; k < n; k += T) {
    s[2 * threadIdx.x] = x[k / 3 + threadIdx.x / 3];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += raw[4 * j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
