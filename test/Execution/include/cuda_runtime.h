// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's header of this name, for kernels that run on the CPU.
#pragma once

#include "kx/atomics.h"
#include "kx/builtins.h"
#include "kx/inline_asm.h"
#include "kx/math.h"
#include "kx/qualifiers.h"
#include "kx/runtime_api.h"
#include "kx/vector_types.h"
#include "kx/warp.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>
