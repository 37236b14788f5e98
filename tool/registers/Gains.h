// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a plan loses nothing, the forms that may still be better, and whether
// ptxas's numbers say that they are. It must not know what mends a bad plan.
#ifndef KPIPE_TOOL_REGISTERS_GAINS_H
#define KPIPE_TOOL_REGISTERS_GAINS_H

#include "Forms.h"
#include "kpipe/RegisterChoice.h"
#include <limits>
#include <utility>

namespace kpipe {

/// What a form may have that the plan has not.
enum class Gain {
  Pieces,     ///< copies of 16 bytes in place of elements
  Leaner,     ///< an inner loop of fewer instructions, in the other schedule
  Ring,       ///< a second buffer, for blocks that planning keeps
  Unrolled,   ///< no loops among the instructions that compute a tile
  Deeper,     ///< one more tile on its way
  FewerWarps, ///< registers that ptxas saves for warps that are not needed
};

/// A plan, and what is known of its loops.
struct GoodPlan {
  PlannedForm Form;
  /// Operations per byte; empty if it is not known of a loop.
  std::optional<double> LeastRatio = std::numeric_limits<double>::max();
  /// nvcc makes worse code of an inner loop than of the author's.
  bool CodeIsWorse = false;
  /// Of all loops, see LoopOutcome.
  bool UnrollingPays = true, MayAskForBlocks = true;
  /// All loops wait for tiles that come through registers, one at a time.
  bool WaitsForLoads = true;
  /// Tiles, or parts of them, wait in registers in all loops.
  bool HeldInRegisters = true;
  /// Of the largest block; empty if one is not known.
  std::optional<unsigned> WarpsPerBlock = 0;
  bool CopiesElements = false; ///< of all loops, see LoopOutcome
  bool MayLoseBlocks = false;  ///< the user says so
  /// What every launch asks for is known. Where it is not, stages may not fit:
  /// that only the user can allow.
  bool BytesAreKnown = true;
};

/// Two stages for a plan with a single buffer, whatever blocks that costs;
/// empty where that does not pay, or was not left open.
std::optional<LoopForm> ringFor(const GoodPlan &Plan);

/// Copies of 16 bytes for a plan whose tiles come element by element; empty
/// where that was not left open.
std::optional<LoopForm> piecesFor(const GoodPlan &Plan);

/// Is the machine code of such a plan worth reading? A peeled loop has its
/// compute region twice.
bool asksForCode(const PlannedForm &Plan);

struct HopedFor {
  Gain What;
  LoopForm Form; ///< to be asked for beside what was asked
};

/// What such loops gained in measured programs, first what comes first. Forms
/// for one gain stand together; behind the first gain that pays, none is tried.
std::vector<HopedFor> hopesFor(const GoodPlan &Plan);

/// Is it so of a loop that Form was asked for?
bool isMade(Gain What, const LoopForm &Form, const LoopOutcome &Loop);

/// Do the numbers say that it is worth it?
bool pays(Gain What, const TriedFigures &Kernel);

/// Of several forms that pay the least one is taken: blocks that are missing of
/// those of an SM, then registers.
using FormRank = std::pair<int, unsigned>;

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_GAINS_H
