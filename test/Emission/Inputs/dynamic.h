// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How dynamic.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(correlate) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", T);
    run(x, w, y, n);
  }
}
