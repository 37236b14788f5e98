// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --header-filter=branches

#include "branches.h"

void launch(float *x, float *y, int n) { tile<false><<<1, T>>>(x, y, n); }
