// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How helper.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(product) {
  for (int rows : multiples(R)) {
    auto a = in<float>("A", rows * T), x = in<float>("x", rows);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, product, a, x, y, rows);
  }
}
