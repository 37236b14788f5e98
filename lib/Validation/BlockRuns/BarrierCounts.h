// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipelined loop has other barriers than its author's, and they pair with
// those of all threads by count. Runs a loop and the way to it for some threads
// of a block and looks whether all pass the same number of barriers in each
// tile, and whether threads that do not come to the loop pass barriers of their
// own. A second look at the rule uniform-barrier, which follows names: what it
// finds does happen for these numbers, what depends on values that are not
// known it does not find.
#ifndef KPIPE_VALIDATION_BARRIERCOUNTS_H
#define KPIPE_VALIDATION_BARRIERCOUNTS_H

#include "Validation/Order/OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/TileLoop.h"
#include <array>
#include <optional>

namespace kpipe {

/// \param Block the block's shape, \param Threads their number, where known.
std::optional<OrderViolation>
findUnevenBarrier(const TileLoop &Loop, const CodeIndex &Index,
                  std::optional<std::array<unsigned, 3>> Block,
                  std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_BARRIERCOUNTS_H
