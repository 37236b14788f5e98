// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas_v2.h: cuBLAS under the name that programs include.
#define CUBLAS_V2_H_
#include "cublas_api.h"
