// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math_functions.h: device mathematics is always declared.
#include "__kpipe_cuda_runtime.h"
