// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory and blocks per SM of a kernel before and after its staged
// buffers become rings, and whether the difference may be spent. Knows nothing
// of routes and registers.
#ifndef KPIPE_PLANNING_BUDGETS_H
#define KPIPE_PLANNING_BUDGETS_H

#include "kpipe/Plan.h"

namespace kpipe {

/// The budget of Kernel with Stages buffers for each array that Loop stages; 1
/// stands for the input as it is. Dynamic: these arrays are dynamic shared
/// memory, to which the launches opt in.
/// \param InBlock the stages are parts of the dynamic shared memory as it is.
/// \param PadBytes that a buffer of each array is longer; empty stands for none.
Budget budgetFor(const TileLoop &Loop, const KernelShape &Kernel,
                 const ArchLimits &Arch, unsigned Stages, bool Dynamic = false,
                 llvm::ArrayRef<uint64_t> PadBytes = {}, bool InBlock = false);

/// Bytes that each of Stages stages has in the dynamic shared memory that the
/// launches give as it is, if all of them have room there for what Loop stages;
/// else 0.
uint64_t bytesInBlock(const TileLoop &Loop, const KernelShape &Kernel,
                      unsigned Stages);

/// What runs on an SM with the shared memory of B, and as many registers a
/// thread; empty if the block's threads or dynamic bytes are unknown.
std::optional<Occupancy> fitsWith(const Budget &B, const KernelShape &Kernel,
                                  const ArchLimits &Arch,
                                  std::optional<unsigned> Registers);

/// Does the loop stage the kernel's dynamic shared memory?
bool stagesBlock(const TileLoop &Loop);

/// Why After, with Stages stages, may not take the place of Before.
struct OverBudget {
  Message Reason, Cure;
  explicit operator bool() const { return !Reason.empty(); }
};

/// That fewer blocks run on an SM; both budgets must have FitsAtMost.
Message lowersBlocks(unsigned Stages, const Budget &Before, const Budget &After,
                     const ArchLimits &Arch);

/// Checks, in this order: 48 KB of static shared memory; what a block may have
/// in all; dynamic shared memory that would need opting in or is unknown;
/// blocks per SM. AllowDrop lifts only what does not keep a kernel from
/// running: fewer blocks per SM, and unknown dynamic shared memory.
OverBudget overBudget(const Budget &Before, const Budget &After,
                      unsigned Stages, const ArchLimits &Arch, bool AllowDrop);

/// "one buffer", "two stages", "3 stages".
Message stagesText(unsigned Stages);

/// The same as the subject of what follows: "two stages need".
Message stagesNeed(unsigned Stages);

/// One clause on what becomes of the blocks per SM, empty if unknown.
Message describeRoom(const Budget &Before, const Budget &After);

} // namespace kpipe

#endif // KPIPE_PLANNING_BUDGETS_H
