// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_defines.h: the toolkit's older name of crt/host_defines.h.
#include "crt/host_defines.h"
