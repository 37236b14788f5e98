// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How nearest.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(nearest) {
  for (int n : multiples(T)) {
    auto points = in<float>("points", 4 * n), queries = in<float>("queries", 4 * T);
    auto distance = out<float>("distance", T);
    launch({dim3(1), dim3(T)}, nearest, points.as<float4>(),
           queries.as<float4>(), distance, n);
  }
}
