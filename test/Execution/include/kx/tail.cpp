// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The red zone behind a program's last shared array: linked last.
#include "qualifiers.h"

static KX_SECTION char kx_red_zone_last[16384];
