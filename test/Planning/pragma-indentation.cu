// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pragma in the first column says nothing of the loop's indentation: what is
// emitted stands where the loop stood, in the author's steps. A pragma that is
// indented moves with its loop.
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/loop.cu && cd %t && %kpipe rewrite loop.cu --arch=sm_86 --variant=ldg \
// RUN:   2>/dev/null | %code | FileCheck %s --strict-whitespace --match-full-lines
//      CHECK:  float sum{{ }}= 0;
// CHECK-NEXT:  {{[{]}}
// CHECK-NEXT:    float xs{{_reg;}}
//      CHECK:    if (i < n) {{[{]}}
// CHECK-NEXT:      fetch{{_tile}}(i);
//      CHECK:#pragma unroll{{$}}
// CHECK-NEXT:      for (; i + T < n; i += T) {{[{]}}

constexpr int T = 64;
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Where the author indents pragmas, they stay with their loops.
__global__ void __launch_bounds__(T)
indented(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  #pragma unroll 1
  // A comment between the pragma and the loop.
  for (int i = 0; i < n; i += 2 * T) {
    #pragma unroll
    for (int c = 0; c < 2; ++c)
      xs[threadIdx.x + c * T] = x[i + threadIdx.x + c * T];
    __syncthreads();
    #pragma unroll 4
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//      CHECK:    auto fetch{{_tile}} = [&](int i) {{[{]}}
// CHECK-NEXT:      #pragma unroll{{$}}
// CHECK-NEXT:      for (int c = 0; c < 2; ++c)
//      CHECK:    auto compute{{_tile}} = {{.*}}
// CHECK-NEXT:      auto &{{.*}}
// CHECK-NEXT:      #pragma unroll 4
// CHECK-NEXT:      for (int j = 0; j < T; ++j)
//      CHECK:      #pragma unroll 1
// CHECK-NEXT:      for (; i + 2 * T < n; i += 2 * T) {{[{]}}
