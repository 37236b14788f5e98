// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's header of this name: see cuda_runtime.h. Of the driver
// only tensor maps are known.
#pragma once

#include "cuda_runtime.h"
#include "kx/encode_tiled.h"
