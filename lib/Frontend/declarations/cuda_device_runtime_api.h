// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_device_runtime_api.h: what device code may call of the runtime is declared
// for the host; launches from the device are not known.
#include "__kpipe_cuda_runtime.h"
