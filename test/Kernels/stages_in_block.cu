// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory that is sized for what follows the loop holds several
// tiles as it is: its launches stay, and the last tile moves to where the names
// behind the loop look for it.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async 2>err | %code | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err --implicit-check-not="single buffer"
// SAID: remark: pipelined K-loop: 2 stages of smem, cp.async
//
// RUN: %kpipe analyze a.cu --arch=sm_86 --kernel=staged 2>&1 | tr -s ' \n' ' ' | FileCheck %s --check-prefix=SAYS
// SAYS: two stages of 2048 bytes fit the dynamic shared memory that the launches give as it is
//
// Three do not fit: the launches ask for more, as they would for any block.
// RUN: %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async --stages=3 --allow-occupancy-drop --kernel=staged 2>/dev/null | %code | FileCheck %s --check-prefix=THREE
// THREE: staged<<<1, 128, kpipe::staged_{{bytes}}<3>(StagedBytes)>>>

constexpr int T = 16;
constexpr int StagedBytes = 4 * 1024;

// All of the block is scratch of what follows, which two tiles fill.
__global__ void __launch_bounds__(128)
staged(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ __align__(16) float smem[];
  float *as = smem, *bs = smem + 256;
  int t = threadIdx.x;
  float sum = 0.0f;
  // CHECK: {{^}}  const int stage_{{bytes}} = kpipe::bytes_per_stage<2>();
  for (int k = 0; k < n; k += 256) {
#pragma unroll
    for (int i = t; i < 256; i += 128) {
      as[i] = x[k + i];
      bs[i] = x[k + 255 - i];
    }
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += as[j] * bs[(j + t) % 256];
    __syncthreads();
  }
  // CHECK: {{^}}  kpipe::to_first_stage(smem, s{{tage}} * stage_{{bytes}}, stage_{{bytes}});
  // CHECK-NEXT: {{^}}  __syncthreads();
  // CHECK: {{^}}    smem[i * 128 + t] = sum + float(i);
  for (int i = 0; i < 8; ++i)
    smem[i * 128 + t] = sum + float(i);
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    y[i * 128 + t] = smem[(i * 128 + t) ^ 5];
}

// The last tile is read again, beside what was stored over the rest.
__global__ void __launch_bounds__(64)
read_again(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *rest = smem + 128;
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    smem[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += smem[j] * float(t - j);
    __syncthreads();
  }
  rest[63 - t] = sum;
  __syncthreads();
  y[t] = rest[t] + (n > 0 ? smem[t ^ 1] : 0.0f);
}

// Nothing follows that uses it.
// CHECK-LABEL: alone(
template <typename E>
__global__ void __launch_bounds__(T *T)
alone(const E *__restrict__ A, const E *__restrict__ B, E *C, int K) {
  extern __shared__ __align__(16) unsigned char bytes[];
  E (*As)[T] = reinterpret_cast<E (*)[T]>(bytes);
  auto &Bs = *reinterpret_cast<E (*)[T][T]>(bytes + sizeof(E) * T * T);
  int tx = threadIdx.x, ty = threadIdx.y;
  E sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  // CHECK-NOT: to_first{{_stage}}
  C[ty * T + tx] = sum;
}

void run_staged(const float *x, float *y, int n) {
  // CHECK: {{^}}  staged<<<1, 128, StagedBytes>>>(x, y, n);
  staged<<<1, 128, StagedBytes>>>(x, y, n);
}
void run_read_again(const float *x, float *y, int n) {
  read_again<<<1, 64, 1024>>>(x, y, n);
}
template <typename E>
void run_alone(const E *A, const E *B, E *C, int k) {
  alone<E><<<1, dim3(T, T), 4 * T * T * sizeof(E)>>>(A, B, C, k);
}
template void run_alone<float>(const float *, const float *, float *, int);
template void run_alone<double>(const double *, const double *, double *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(staged) {
  for (int n : multiples(256)) {
    auto x = in<float>("x", n), y = out<float>("y", 1024);
    run_staged(x, y, n);
  }
}
CASE(read_again) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_read_again(x, y, n);
  }
}
CASE(alone) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    run_alone<float>(a, b, c, k);
    auto d = in<double>("D", T * k), e = in<double>("E", k * T);
    auto f = out<double>("F", T * T);
    run_alone<double>(d, e, f, k);
  }
}
#endif
