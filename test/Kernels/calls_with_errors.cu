// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates that host code launches with tensors, parsed without what declares
// them: which kernel a launch means is plain all the same, and what it asks for.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>err | %code | FileCheck %s
// RUN: grep -c ': remark: pipelined .* 2 stages' err | grep -x 4
// RUN: grep 'warning: ignored [0-9]* parse errors' err

#ifdef KPIPE_HARNESS
#include "Inputs/tensors.h"
#endif

// In a host function that is a template itself.
template <int T>
__global__ void __launch_bounds__(T)
by_size(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int T> void launch_by_size(torch::Tensor x, torch::Tensor y) {
  constexpr int bytes = T * sizeof(float);
  const int n = x.size(0);
  dim3 grid(1), block(T);
  // CHECK: by_size<T><<<grid, block, kpipe::staged_bytes<2>(bytes)>>>(
  by_size<T><<<grid, block, bytes>>>(reinterpret_cast<const float *>(x.data_ptr()),
                                     reinterpret_cast<float *>(y.data_ptr()), n);
}
torch::Tensor run_by_size(torch::Tensor x, torch::Tensor y, int size) {
  switch (size) {
  case 32:
    launch_by_size<32>(x, y);
    break;
  case 64:
    launch_by_size<64>(x, y);
    break;
  }
  return y;
}

// With arguments left to their defaults, and launches of several instances.
template <int T, typename E = float, int Add = 1>
__global__ void __launch_bounds__(T)
defaults(const E *__restrict__ x, E *__restrict__ y, int n) {
  extern __shared__ unsigned char bytes[];
  E *tile = reinterpret_cast<E *>(bytes);
  E sum = 0;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * E(threadIdx.x ^ j) + Add;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_defaults(torch::Tensor x, torch::Tensor y, torch::Tensor u, torch::Tensor v) {
  // CHECK: defaults<64><<<1, 64, kpipe::staged_bytes<2>(64 * sizeof(float))>>>(
  defaults<64><<<1, 64, 64 * sizeof(float)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
  // CHECK: defaults<32, double, 3><<<1, 32, kpipe::staged_bytes<2>(32 * sizeof(double))>>>(
  defaults<32, double, 3><<<1, 32, 32 * sizeof(double)>>>(u.data_ptr<double>(), v.data_ptr<double>(),
                                                          u.size(0));
}

// By way of a second host template, where the host sets the most bytes itself.
template <int T>
__global__ void __launch_bounds__(T)
opts_in(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float4 wide[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2 * T) {
    for (int j = 0; j < 2; ++j)
      wide[threadIdx.x + j * T] = x[i + threadIdx.x + j * T];
    __syncthreads();
    for (int j = 0; j < 2 * T; j += 7)
      sum += wide[j].x * float(threadIdx.x ^ j) + wide[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int T, int Bytes> void opt_in_twice(torch::Tensor x, torch::Tensor y) {
  // CHECK: cudaFuncSetAttribute(opts_in<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncSetAttribute(opts_in<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes);
  // CHECK: opts_in<T><<<1, T, kpipe::opt_in_shared(opts_in<T>, kpipe::staged_bytes<2>(Bytes))>>>(
  opts_in<T><<<1, T, Bytes>>>(x.data_ptr<float4>(), y.data_ptr<float>(), x.size(0));
}
template <int T> void opt_in_once(torch::Tensor x, torch::Tensor y) {
  opt_in_twice<T, 2 * T * 16>(x, y);
}
void run_opts_in(torch::Tensor x, torch::Tensor y) { opt_in_once<64>(x, y); }

// No template, called with what could not be read and with plain numbers.
__global__ void plain(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch_plain(const float *x, float *y, int n, int threads) {
  // CHECK: plain<<<1, threads, kpipe::staged_bytes<2>(threads * 4)>>>(x, y, n);
  plain<<<1, threads, threads * 4>>>(x, y, n);
}
void run_plain(torch::Tensor x, torch::Tensor y) {
  launch_plain(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), 64);
}
void run_plain_pointers(const float *x, float *y, int n) { launch_plain(x, y, n, 32); }

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(by_size) {
  for (int size : {32, 64})
    for (int n : multiples(size)) {
      auto x = in<float>("x", n), y = out<float>("y", size);
      run_by_size({(float *)x, n}, {(float *)y, size}, size);
    }
}
CASE(defaults) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    auto u = in<double>("u", n), v = out<double>("v", 32);
    run_defaults({(float *)x, n}, {(float *)y, 64}, {(double *)u, n}, {(double *)v, 32});
  }
}
CASE(opts_in) {
  for (int n : multiples(2 * 64)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 64);
    run_opts_in({(float *)x, n}, {(float *)y, 64});
  }
}
CASE(plain) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64), z = out<float>("z", 32);
    run_plain({(float *)x, n}, {(float *)y, 64});
    run_plain_pointers(x, z, n);
  }
}
#endif
