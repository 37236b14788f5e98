// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// device_launch_parameters.h: threadIdx and its kin come from Clang.
#include "__kpipe_cuda_runtime.h"
