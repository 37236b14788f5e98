// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for the pipeline primitives that authors use by hand.
#pragma once

#include "cuda_pipeline.h"

