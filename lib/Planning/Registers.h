// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many registers a tile on its way takes of a thread, and how many a
// thread can spare. Estimates: ptxas has the last word. Knows no shared memory.
#ifndef KPIPE_PLANNING_REGISTERS_H
#define KPIPE_PLANNING_REGISTERS_H

#include "kpipe/Plan.h"

namespace kpipe {

/// 4-byte registers that hold what one thread loads for C, from the fetch to
/// the store. A value under 4 bytes takes one as well.
unsigned stagedRegisters(const TileCopy &C);

/// Registers that ptxas may give a thread of the kernel: what its launch
/// bounds, else its known block size, leave of the SM's; else all 255. Never
/// more than __maxnreg__.
unsigned registersPerThread(const KernelShape &Kernel, const ArchLimits &Arch);

/// Registers per thread that ptxas takes for the input where it was asked, else
/// that it is likely to take, and never more than it may give; empty if
/// unknown.
std::optional<unsigned> likelyRegisters(const KernelShape &Kernel,
                                        const ArchLimits &Arch);

/// The same, or what the input's variables alone need. That is low on purpose:
/// an estimate above what ptxas takes would hide that shared memory limits.
std::optional<unsigned> leastRegisters(const KernelShape &Kernel,
                                       const ArchLimits &Arch);

/// Registers that staging may take so that it does not obviously spill.
unsigned spareRegisters(const KernelShape &Kernel, const ArchLimits &Arch);

} // namespace kpipe

#endif // KPIPE_PLANNING_REGISTERS_H
