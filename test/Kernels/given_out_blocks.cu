// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory that a function declares and gives out: a conversion, a
// function, a member, with specialisations whose arrays have names of their own.
// The kernels know it by what they make of it, which is what gets stages.
// REQUIRES: executor
// RUN: %variants --at-least=6 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 6
//
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --allow-occupancy-drop 2>/dev/null | %code | FileCheck %s

constexpr int T = 16;

template <class E> struct SharedMemory {
  __device__ inline operator E *() {
    extern __shared__ int __smem[];
    return (E *)__smem;
  }
  __device__ inline operator const E *() const {
    extern __shared__ int __smem[];
    return (E *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};
template <class E> struct Shared {
  __device__ E *getPointer() {
    extern __shared__ unsigned char bytes_of_shared[];
    return reinterpret_cast<E *>(bytes_of_shared);
  }
};
template <> struct Shared<float> {
  __device__ float *getPointer() {
    extern __shared__ float s[];
    return s;
  }
};
template <class E> __device__ E *shared_ptr() {
  extern __shared__ __align__(16) unsigned char raw[];
  return reinterpret_cast<E *>(raw);
}
// By way of another one, and not its first byte.
__device__ float *behind(int first) { return shared_ptr<float>() + first; }

// One text for both arrays.
template <class E>
__global__ void __launch_bounds__(64)
converted(const E *__restrict__ x, E *__restrict__ y, int n) {
  E *sdata = SharedMemory<E>();
  E acc = 0;
  // CHECK-LABEL: converted(
  // CHECK: auto *[[S:sdata_stages]] = sdata;
  // CHECK: auto *sdata = kpipe::advance_bytes([[S]], stage * stage_bytes);
  for (int k = 0; k < n; k += 64) {
    sdata[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += sdata[j] * E(j + threadIdx.x % 3);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

// Carved.
template <class E>
__global__ void __launch_bounds__(T *T)
carved(const E *__restrict__ A, const E *__restrict__ B, E *__restrict__ C,
       int K) {
  E *As = shared_ptr<E>();
  E *Bs = As + T * T;
  int tx = threadIdx.x, ty = threadIdx.y;
  E acc = 0;
  for (int k = 0; k < K; k += T) {
    As[ty * T + tx] = A[ty * K + k + tx];
    Bs[ty * T + tx] = B[(k + ty) * T + tx];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += As[ty * T + j] * Bs[j * T + tx];
    __syncthreads();
  }
  C[ty * T + tx] = acc;
}

// One of the arrays has the name that the kernel gives to what it makes of it.
template <class E>
__global__ void __launch_bounds__(64)
member(const E *__restrict__ x, E *__restrict__ y, int n) {
  Shared<E> shared;
  E *s = shared.getPointer();
  E acc = 0;
  for (int k = 0; k < n; k += 64) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j ^ (threadIdx.x & 5)] * E(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc + (n > 0 ? s[63 - threadIdx.x] : E(0));
}

// Asked twice, for two parts.
__global__ void __launch_bounds__(T *T)
two_parts(const float *__restrict__ A, const float *__restrict__ B,
          float *__restrict__ C, int K) {
  float *As = behind(0), *Bs = behind(T * T);
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    As[ty * T + tx] = A[ty * K + k + tx];
    Bs[ty * T + tx] = B[(k + ty) * T + tx];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += As[ty * T + j] * Bs[j * T + tx];
    __syncthreads();
  }
  C[ty * T + tx] = acc;
}

// The last tile is read behind the loop, and then the threads' sums are put
// there.
__global__ void __launch_bounds__(64)
summed_up(const float4 *__restrict__ p, float *__restrict__ f, int n) {
  float4 *tile = SharedMemory<float4>();
  float acc = 0;
  for (int i = 0; i < n; i += 64) {
    tile[threadIdx.x] = p[i + threadIdx.x];
    __syncthreads();
    for (int c = 0; c < 64; ++c)
      acc += tile[c].x * tile[63 - c].w;
    __syncthreads();
  }
  acc += n > 0 ? tile[63 - threadIdx.x].y : 0;
  __syncthreads();
  float *sums = reinterpret_cast<float *>(tile);
  sums[threadIdx.x] = acc;
  __syncthreads();
  for (int o = 32; o > 0; o >>= 1) {
    if (threadIdx.x < o)
      sums[threadIdx.x] += sums[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    f[0] = sums[0];
}

// The thing itself is const.
__global__ void __launch_bounds__(32)
by_cast(const float *__restrict__ x, float *__restrict__ y, int n) {
  float *s = static_cast<float *>(SharedMemory<float>());
  float acc = 0;
  for (int k = 0; k < n; k += 32) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      acc += s[j] * float(j + 1);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}

template <class E> void run_converted(const E *x, E *y, int n) {
  // CHECK: {{^}}  converted<E><<<1, 64, kpipe::staged_bytes<2>(64 * sizeof(E))>>>(x, y, n);
  converted<E><<<1, 64, 64 * sizeof(E)>>>(x, y, n);
}
template <class E> void run_member(const E *x, E *y, int n) {
  member<E><<<1, 64, 64 * sizeof(E)>>>(x, y, n);
}
void run_carved(const float *a, const float *b, float *c, int k) {
  carved<float><<<1, dim3(T, T), 2 * T * T * sizeof(float)>>>(a, b, c, k);
}
void run_two_parts(const float *a, const float *b, float *c, int k) {
  two_parts<<<1, dim3(T, T), 2 * T * T * sizeof(float)>>>(a, b, c, k);
}
void run_summed_up(const float4 *p, float *f, int n) {
  summed_up<<<1, 64, 64 * sizeof(float4)>>>(p, f, n);
}
void run_by_cast(const float *x, float *y, int n) {
  by_cast<<<1, 32, 32 * sizeof(float)>>>(x, y, n);
}
template void run_converted<float>(const float *, float *, int);
template void run_converted<double>(const double *, double *, int);
template void run_member<float>(const float *, float *, int);
template void run_member<double>(const double *, double *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(converted) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_converted<float>(x, y, n);
    auto u = in<double>("u", n), v = out<double>("v", 64);
    run_converted<double>(u, v, n);
  }
}
CASE(member) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_member<float>(x, y, n);
    auto u = in<double>("u", n), v = out<double>("v", 64);
    run_member<double>(u, v, n);
  }
}
CASE(carved) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    run_carved(a, b, c, k);
  }
}
CASE(two_parts) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    run_two_parts(a, b, c, k);
  }
}
CASE(summed_up) {
  for (int n : multiples(64)) {
    auto p = in<float>("p", 4 * n), f = out<float>("f", 1);
    run_summed_up(p.as<float4>(), f, n);
  }
}
CASE(by_cast) {
  for (int n : multiples(32)) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    run_by_cast(x, y, n);
  }
}
#endif
