// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every program carries once: its registration with the executor and the
// storage of dynamic shared memory. The front puts it before the program's text
// (it cannot be precompiled: a precompiled section clashes with later ones).
#pragma once

#include "qualifiers.h"
#include "to_all_stages.h"
#include "to_first_stage.h"

// The names of the section's ends are the linker's; a program without shared
// arrays has a red zone at least.
extern "C" __attribute__((visibility("hidden"))) char __start_kpipe_shared[];
extern "C" __attribute__((visibility("hidden"))) char __stop_kpipe_shared[];
namespace kx {
static KX_SECTION char kx_red_zone_first[4096];
struct Registration {
  Registration() {
    kx_register_module(__start_kpipe_shared, __stop_kpipe_shared);
  }
};
static Registration RegisterModule;
} // namespace kx

// All `extern __shared__` arrays name this, through the linker: as much as the
// largest architecture gives a block.
#ifdef KX_DYNAMIC_SHARED
extern "C" {
KX_SECTION __attribute__((visibility("hidden"),
                          aligned(1024))) char kx_dynamic_shared[227 << 10];
KX_SECTION char kx_red_zone_dynamic[4096];
}
#endif
