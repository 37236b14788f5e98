// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's keywords as plain C++ sees them. `__shared__` becomes static storage in
// a section that the executor knows; `used` keeps the optimiser from reasoning
// that nobody else can touch it. A red zone of 4 KiB goes before each declaration.
#pragma once

#include "../executor_abi.h"

// Inlined, and without debug information of its own: what it calls is then
// reported at the line of the kernel that used it.
#define KX_INLINE inline __attribute__((always_inline, nodebug))
// What synchronises stays where its author put it; `noduplicate` would keep such a
// wrapper from being inlined, and is for the executor's own calls.
#define KX_SYNC __attribute__((nomerge, convergent)) KX_INLINE
#define KX_UNCHECKED __attribute__((noinline, disable_sanitizer_instrumentation))

#define __CUDACC__ 1
#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 13
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(N) __attribute__((aligned(N)))

#define KX_CAT2(A, B) A##B
#define KX_CAT(A, B) KX_CAT2(A, B)
#define KX_SECTION __attribute__((used, section("kpipe_shared"), aligned(128)))
// The front writes this for `extern __shared__`: see program.h.
#define KX_EXTERN_SHARED __attribute__((visibility("hidden")))
#define __shared__                                                             \
  static KX_SECTION char KX_CAT(kx_red_zone, __COUNTER__)[4096];                \
  static KX_SECTION
