// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches a kernel of whoever includes it.
#pragma once

inline void launch_it_here(const float *x, float *y, int n) {
  in_system_header<<<1, T, T * 4>>>(x, y, n);
}
