// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// driver_functions.h: make_cudaPitchedPtr() and its kin.
#include "cuda_runtime_api.h"
