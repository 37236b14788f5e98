// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a loop as it was and as a plan would have it, tile by tile, and
// compares: what a barrier separated stays separated, and what one thread did
// in an order it does in that order. Beside the schedule validator, which knows
// the staged arrays only, this one sees every access of the loop and of what is
// around it; and it takes nothing from the analysis but which statement goes
// where.
#ifndef KPIPE_VALIDATION_ORDERVALIDATOR_H
#define KPIPE_VALIDATION_ORDERVALIDATOR_H

#include "OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include <optional>

namespace kpipe {

struct OrderVerdict {
  /// The output has to keep a barrier before the prologue, behind the epilogue.
  bool BarrierBefore = false, BarrierAfter = false;
  std::optional<OrderViolation> Violation;
};

/// \param AssumeNoAlias the author's promise that no load of a tile reads what
/// another iteration stores to global memory.
OrderVerdict validateOrder(const TileLoop &Loop, const PipelinePlan &Plan,
                           const CodeIndex &Index, bool AssumeNoAlias);

} // namespace kpipe

#endif // KPIPE_VALIDATION_ORDERVALIDATOR_H
