// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texture_types.h: texture and surface types.
#include "driver_types.h"
