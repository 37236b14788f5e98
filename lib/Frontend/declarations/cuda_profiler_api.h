// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_profiler_api.h: cudaProfilerStart() and cudaProfilerStop().
#include "cuda_runtime_api.h"
