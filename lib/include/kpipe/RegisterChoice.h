// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which form of a loop to take by what ptxas makes of it: registers that are
// spilled, blocks that no longer fit on an SM. Pure arithmetic on plain values;
// it must not know compilers, loops or texts.
#ifndef KPIPE_REGISTERCHOICE_H
#define KPIPE_REGISTERCHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace kpipe {

/// One kernel before and after.
struct RegisterFigures {
  uint64_t SpilledBefore = 0, SpilledAfter = 0; ///< bytes, stores and loads
  /// On one SM; empty where the size of a block is not known.
  std::optional<unsigned> BlocksBefore, BlocksAfter;
  unsigned WarpsPerBlock = 0;
};

enum class RegisterVerdict {
  Free,   ///< no block is lost
  Cheap,  ///< blocks are lost, which costs less than a pipeline gains
  Dear,   ///< blocks are lost, which costs more
  Spills, ///< registers are spilled that were not
};

/// The part of its speed that a pipelined kernel is taken to keep when fewer
/// blocks of it run on an SM: 1 if all.
double keptSpeed(unsigned BlocksBefore, unsigned BlocksAfter,
                 unsigned WarpsPerBlock);

/// \param MayLoseBlocks the user says so.
RegisterVerdict judge(const RegisterFigures &Kernel, bool MayLoseBlocks);

/// The worst of all kernels that run a loop.
RegisterVerdict judge(llvm::ArrayRef<RegisterFigures> Kernels,
                      bool MayLoseBlocks);

/// Are two stages worth blocks that one buffer keeps?
/// \param Ratio operations per byte; empty if not known.
bool wantsRing(bool AllAsync, std::optional<double> Ratio);

/// A kernel as planned, which is good, and in another form of its loop.
struct TriedFigures {
  RegisterFigures Planned, Tried;
  unsigned PlannedRegisters = 0, Registers = 0; ///< per thread
  /// Instructions for a byte of shared memory in the inner loop; empty if not
  /// known.
  std::optional<double> PlannedWork = {}, Work = {};
};

/// Is it worth unrolling loops that nvcc leaves loops? Nothing may be spilled
/// that the plan does not spill, no register of those that a thread may have be
/// used up, and of the plan's blocks as many be left as hide latencies.
bool paysUnrolled(const TriedFigures &Kernel);

/// Is it worth telling ptxas that fewer warps will do? It is where ptxas takes
/// many more registers then, with the same losses as unrolling may have.
bool paysFewerWarps(const TriedFigures &Kernel);

/// Is it worth having one more tile on its way in registers? No block of the
/// plan may be lost, nothing spilled.
bool paysDeeper(const TriedFigures &Kernel);

/// Does nvcc make worse code of the inner loop than it did of the author's?
/// \param Before of the author's loop, After of the plan's, as TriedFigures.
bool isWorse(std::optional<double> Before, std::optional<double> After);

/// Is the other schedule worth it, for an inner loop of fewer instructions?
/// With the same losses as unrolling may have.
bool paysLeaner(const TriedFigures &Kernel);

/// Is it worth copying in pieces of 16 bytes instead of elements? With the same
/// losses as unrolling may have, and where the warps that are left hide
/// latencies: fewer need the registers that pieces save.
bool paysInPieces(const TriedFigures &Kernel);

/// The minimum of blocks that leaves ptxas the registers of all warps beyond
/// those that hide latencies.
unsigned blocksThatHide(unsigned WarpsPerBlock);

inline bool isAccepted(RegisterVerdict V) {
  return V == RegisterVerdict::Free || V == RegisterVerdict::Cheap;
}

} // namespace kpipe

#endif // KPIPE_REGISTERCHOICE_H
