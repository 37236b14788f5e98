// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// surface_types.h: texture and surface types.
#include "driver_types.h"
