// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// device_types.h: its enumeration is always declared.
#include "driver_types.h"
