// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tabs on some lines and blanks on others, as editors leave them: what is
// nested stays nested.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/mixed.cu && cd %t && %kpipe rewrite mixed.cu --arch=sm_86 \
// RUN:   2>/dev/null | %code | FileCheck %s --strict-whitespace --match-full-lines
//      CHECK:    auto compute{{_tile}} = [&](int {{[a-z_]+}}) {
// CHECK-NEXT:      auto &xs = xs_{{stages}}[{{[a-z_]+}}];
// CHECK-NEXT:      for (int j = 0; j < T; ++j) {
// CHECK-NEXT:        if (j & 1)
// CHECK-NEXT:          sum += xs[j];
// CHECK-NEXT:        else
// CHECK-NEXT:            sum -= xs[j];
// CHECK-NEXT:      }
// CHECK-NEXT:    };

constexpr int T = 64;

__global__ void __launch_bounds__(T)
mixed(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (j & 1)
	sum += xs[j];
      else
	  sum -= xs[j];
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(mixed) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, mixed, x, y, n);
  }
}
#endif
