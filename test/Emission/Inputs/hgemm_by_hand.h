// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How hgemm_by_hand.cu is launched, see ../../Kernels/harness.h.
#include "harness.h"

CASE(hgemm) {
  for (int k : multiples(BK)) {
    if (!k)
      continue; // the first tile is copied in any case
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128)}, hgemm, a, b, c, 64, k);
  }
}
