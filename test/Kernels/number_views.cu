// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are made before the loop as numbers, as ldmatrix wants them:
// each means its place in one of the stages, and gets their distance.
// REQUIRES: executor
// RUN: %variants --at-least=3 --option=--launches=elsewhere %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --launches=elsewhere 2>err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err --implicit-check-not="single buffer"
// SAID: remark: pipelined K-loop: {{[23]}} stages of As, Bs

#include <cstdint>
#include <cuda_fp16.h>

constexpr int T = 16, LD = 24;

__device__ __forceinline__ uint32_t shared_number(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ uint32_t by_assembly(const void *p) {
  uint32_t a;
  asm("{ .reg .u64 q; cvta.to.shared.u64 q, %1; cvt.u32.u64 %0, q; }\n"
      : "=r"(a)
      : "l"(p));
  return a;
}
__device__ __forceinline__ void rows(uint32_t *r, uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}
__device__ uint32_t mixed(uint32_t sum, const uint32_t (&a)[4], const uint32_t (&b)[4]) {
  for (int i = 0; i < 4; ++i)
    sum = sum * 31 + (a[i] ^ b[3 - i]);
  return sum;
}

// One array each, with padded rows; the number has the lane's place in it.
__global__ void __launch_bounds__(32)
two_arrays(const half *__restrict__ A, const half *__restrict__ B, uint32_t *y, int K) {
  __shared__ __align__(16) half As[T * LD];
  __shared__ __align__(16) half Bs[T * LD];
  const int lane = threadIdx.x, row = lane / 2, col = lane % 2 * 8;
  // CHECK: {{^}}  uint32_t a = shared_number(As) + (lane % 16 * LD + lane / 16 * 8) * 2;
  uint32_t a = shared_number(As) + (lane % 16 * LD + lane / 16 * 8) * 2;
  const uint32_t b = by_assembly(&Bs[lane % 16 * LD]) + lane / 16 * 16;
  uint32_t sum = 0;
  // CHECK: {{^}}    auto a_{{stages}} = a;
  // CHECK-NEXT: {{^}}    const auto b_{{stages}} = b;
  for (int k = 0; k < K; k += T) {
    *(float4 *)&As[row * LD + col] = *(const float4 *)&A[row * K + k + col];
    *(float4 *)&Bs[row * LD + col] = *(const float4 *)&B[row * K + k + col];
    __syncthreads();
    // CHECK: {{^}}      auto a = kpipe::advance_bytes(a_{{stages}}, s{{tage}} * sizeof(As_{{stages}}[0]));
    // CHECK: {{^}}      const auto b = kpipe::advance_bytes(b_{{stages}}, s{{tage}} * sizeof(Bs_{{stages}}[0]));
    uint32_t x[4], z[4];
    rows(x, a);
    rows(z, b);
    sum = mixed(sum, x, z);
    __syncthreads();
  }
  y[lane] = sum;
}

// Parts of dynamic shared memory, numbers made of a number.
template <int Rows>
__global__ void __launch_bounds__(32)
parts(const half *__restrict__ A, uint32_t *y, int K) {
  extern __shared__ __align__(128) unsigned char parts_memory[];
  half *As = reinterpret_cast<half *>(parts_memory);
  const size_t all = __cvta_generic_to_shared(parts_memory);
  const unsigned base = (unsigned)all;
  const unsigned second = base + Rows * T * sizeof(half);
  const int lane = threadIdx.x, row = lane / 2, col = lane % 2 * 8;
  uint32_t sum = 0;
  for (int k = 0; k < K; k += T) {
    for (int part = 0; part < 2; ++part)
      *(float4 *)&As[(part * Rows + row) * T + col] =
          *(const float4 *)&A[(part * Rows + row) * K + k + col];
    __syncthreads();
    uint32_t x[4], z[4];
    const unsigned place = (lane % 16 * T + lane / 16 * 8) * sizeof(half);
    rows(x, base + place);
    unsigned address = second;
    address += place;
    rows(z, address);
    sum = mixed(sum, x, z);
    __syncthreads();
  }
  y[lane] = sum;
}

template __global__ void parts<T>(const half *, uint32_t *, int);

// Signed, of a pointer's number, used behind the loop as well.
__global__ void __launch_bounds__(32)
behind(const half *__restrict__ A, uint32_t *y, int K) {
  __shared__ __align__(16) half tile[2 * T][T];
  half(*lower)[T] = tile + T;
  const int lane = threadIdx.x, row = lane / 2, col = lane % 2 * 8;
  int a = __cvta_generic_to_shared(lower) + lane % 16 * 32 - lane / 16 * -16;
  uint32_t sum = 0, x[4], z[4] = {};
  for (int k = 0; k < K; k += T) {
    for (int r = row; r < 2 * T; r += T)
      *(float4 *)&tile[r][col] = *(const float4 *)&A[r * K + k + col];
    __syncthreads();
    rows(x, a);
    rows(z, a - T * T * 2);
    sum = mixed(sum, x, z);
    __syncthreads();
  }
  if (K > 0)
    rows(z, a);
  y[lane] = mixed(sum, z, z);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(two_arrays) {
  for (int k : multiples(T)) {
    auto a = in<half>("A", T * k), b = in<half>("B", T * k);
    auto y = out<uint32_t>("y", 32);
    launch({1, 32}, two_arrays, a, b, y, k);
  }
}
CASE(parts) {
  for (int k : multiples(T)) {
    auto a = in<half>("A", 2 * T * k);
    auto y = out<uint32_t>("y", 32);
    launch({1, 32, 8 * 2 * T * T * 2}, parts<T>, a, y, k); // eight tiles
  }
}
CASE(behind) {
  for (int k : multiples(T)) {
    auto a = in<half>("A", 2 * T * k);
    auto y = out<uint32_t>("y", 32);
    launch({1, 32}, behind, a, y, k);
  }
}
#endif
