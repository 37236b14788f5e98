// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves registers from producers, which need few, to consumers. sm_90a and the
// architectures with tcgen05.
//
// PTX ISA, "setmaxnreg". All warps of a warpgroup (4 warps that begin at a
// multiple of 4) call the same, all lanes together. The block must have been
// launched with a known number of registers (__launch_bounds__ or
// --maxrregcount); increase waits until as many are free.
#ifndef KPIPE_ASYNC_PTX_SET_REGISTERS_H
#define KPIPE_ASYNC_PTX_SET_REGISTERS_H

#include "../architecture.h"

namespace kpipe {
namespace ptx {

/// This warp gives back all but _Count registers a thread. setmaxnreg.dec.
template <int _Count> __device__ __forceinline__ void decrease_registers() {
  static_assert(_Count >= 24 && _Count <= 256 && _Count % 8 == 0,
                "setmaxnreg takes 24 to 256 registers, a multiple of 8");
#if KPIPE_HAS_SETMAXNREG
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(_Count));
#else
  __detail::__needs_sm_90a(_Count);
#endif
}

/// This warp takes registers up to _Count a thread. setmaxnreg.inc.
template <int _Count> __device__ __forceinline__ void increase_registers() {
  static_assert(_Count >= 24 && _Count <= 256 && _Count % 8 == 0,
                "setmaxnreg takes 24 to 256 registers, a multiple of 8");
#if KPIPE_HAS_SETMAXNREG
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(_Count));
#else
  __detail::__needs_sm_90a(_Count);
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_SET_REGISTERS_H
