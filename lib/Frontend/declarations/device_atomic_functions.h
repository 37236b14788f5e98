// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// device_atomic_functions.h: atomics are always declared.
#include "__kpipe_cuda_runtime.h"
