// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's header of this name: see cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
