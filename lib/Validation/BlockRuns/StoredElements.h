// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a ring of stages an element that a tile does not store holds what an older
// tile left there, not what the last one did. Runs what a plan loads for the
// threads of a block, tile by tile and, where something leads to the loop
// again, run by run, and looks whether all store the same elements. A second
// look at what the analysis concludes from names, by other means: by numbers,
// because a check of names would have to be as fine as the analysis not to
// refuse what it accepts, and would err where it does. What it finds does
// happen for these numbers; what depends on values that are not known it does
// not find.
#ifndef KPIPE_VALIDATION_STOREDELEMENTS_H
#define KPIPE_VALIDATION_STOREDELEMENTS_H

#include "Validation/Order/OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include <array>
#include <optional>

namespace kpipe {

/// \param Block the block's shape, \param Threads their number, where known.
std::optional<OrderViolation>
findElementLeftOut(const TileLoop &Loop, const PipelinePlan &Plan,
                   const CodeIndex &Index,
                   std::optional<std::array<unsigned, 3>> Block,
                   std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_STOREDELEMENTS_H
