// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CURE: --header-filter=tile.h

#include "tile.h"
