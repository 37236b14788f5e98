// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.h"
CASE(matmul) {
  for (int k : multiples(BK)) {
    auto a = in<float>("A", 2 * BM * k), b = in<float>("B", k * 64);
    auto c = out<float>("C", 2 * BM * 64);
    launch({dim3(2, 2), 256}, matmul, a, b, c, 64, k);
  }
}
