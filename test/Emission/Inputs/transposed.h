// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How transposed.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(rows) {
  for (int columns : multiples(C)) {
    auto a = in<float>("A", T * columns), x = in<float>("x", columns);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, rows, a, x, y, columns);
  }
}
