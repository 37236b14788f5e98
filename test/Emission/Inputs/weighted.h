// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How weighted.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(weighted) {
  for (int n : multiples(T)) {
    auto points = in<float>("points", 4 * n), queries = in<float>("queries", 4 * T);
    auto weights = in<signed char>("weights", n);
    auto sums = out<float>("sums", T);
    launch({dim3(1), dim3(T)}, weighted, points.as<float4>(), weights,
           queries.as<float4>(), sums, n);
  }
}
