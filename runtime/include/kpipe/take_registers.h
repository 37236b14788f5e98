// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::take_registers: each thread of this warpgroup has so many registers
// from here on.
//
// PTX: setmaxnreg.inc (sm_90a, and what later architectures have under a or f),
// by all threads of the warpgroup; nothing elsewhere. Waits until others of the
// block have given as many, see kpipe::give_registers.
//
// kpipe-inline: take_registers
#ifndef KPIPE_RUNTIME_TAKE_REGISTERS_H
#define KPIPE_RUNTIME_TAKE_REGISTERS_H

namespace kpipe {

/// All threads of four warps that begin at a multiple of four call it together,
/// in a kernel with __launch_bounds__.
template <int _Registers> __device__ __forceinline__ void take_registers() {
  static_assert(_Registers >= 24 && _Registers <= 256 && _Registers % 8 == 0,
                "kpipe::take_registers: 24 to 256 registers, a multiple of 8");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__) ||   \
    defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(_Registers));
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TAKE_REGISTERS_H
// kpipe-inline: end
