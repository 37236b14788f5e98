// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value that waits in registers is no constant, so that another assignment may
// take it than the one that took the element.
// RUN: %kpipe rewrite --dry-run --arch=sm_75 --block=64 %s 2>&1 | FileCheck %s --implicit-check-not=remark:
// The check of the result finds them too.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_75 --block=64 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-3: warning: not pipelined: the pipelined code would not mean the same
// ALONE: remark: pipelined K-loop: 2 stages of s, registers

constexpr int T = 64;
struct Two {
  float x, y;
  Two() = default;
  Two(const Two &) = default;
  Two &operator=(const Two &) = default;
  __device__ Two &operator=(Two &o) {
    x = o.x + 1;
    y = o.y;
    return *this;
  }
};
struct Any {
  float x, y;
  Any &operator=(const Any &) = default;
  template <class U> __device__ Any &operator=(U &o) {
    x = o.x + 1;
    y = o.y;
    return *this;
  }
};
struct Base {
  template <class U> __device__ void operator=(U &o) { o.x = 0; }
};
struct Taken : Base {
  using Base::operator=;
  float x, y;
  Taken &operator=(const Taken &) = default;
};
struct Plain {
  float x, y;
  Plain &operator=(const Plain &) = default;
  Plain &operator=(Plain &&) = default;
  __device__ Plain &operator=(float v) {
    x = y = v;
    return *this;
  }
};

__global__ void of_two(const Two *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Two s[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because values of 'Two' cannot wait in registers: it has an assignment operator that takes what may be changed

__global__ void of_any(const Any *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Any s[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because values of 'Any' cannot wait in registers: it has an assignment operator that takes what may be changed

__global__ void of_taken(const Taken *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Taken s[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined: a tile cannot be staged in registers, because values of 'Taken' cannot wait in registers: it has an assignment operator that takes what may be changed

__global__ void of_plain(const Plain *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Plain s[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: 2 stages of s, registers
