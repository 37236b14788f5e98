// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sm_20_atomic_functions.h: atomics are always declared.
#include "__kpipe_cuda_runtime.h"
