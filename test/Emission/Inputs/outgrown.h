// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How outgrown.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(columns) {
  for (int rows : multiples(R)) {
    auto a = in<float>("A", 4 * rows * T), weight = in<float>("weight", rows);
    auto sums = out<float>("sums", 4 * T);
    run(a.as<float4>(), weight, sums.as<float4>(), rows);
  }
}
