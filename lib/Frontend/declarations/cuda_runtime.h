// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_runtime.h: everything of it is in the header that kpipe includes first.
#include "__kpipe_cuda_runtime.h"
