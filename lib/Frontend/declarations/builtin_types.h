// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// builtin_types.h: the toolkit's umbrella over its types.
#include "driver_types.h"
