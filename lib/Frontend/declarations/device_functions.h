// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// device_functions.h: the toolkit's older name of the device functions.
#include "__kpipe_cuda_runtime.h"
