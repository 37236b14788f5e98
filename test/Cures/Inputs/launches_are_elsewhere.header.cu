// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async --header-filter='dynamic\.h'
// CURE: --launches=elsewhere

#include "dynamic.h"

void launch(const float *x, float *y, int n) { tile<<<1, T, T * 4>>>(x, y, n); }
