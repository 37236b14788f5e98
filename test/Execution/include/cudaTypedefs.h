// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's header of this name.
#pragma once

#include "cuda.h"

using PFN_cuTensorMapEncodeTiled_v12000 = decltype(&cuTensorMapEncodeTiled);
using PFN_cuTensorMapEncodeTiled = PFN_cuTensorMapEncodeTiled_v12000;
