// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that store a part of a buffer, of which the analysis says that they
// read that part alone. Runs the threads of a block with numbers, what they
// load and what they compute, and looks whether a tile reads a byte that it
// does not store. Knows nothing of the conditions: only of what is stored and
// read. What it does not find need not be right.
#ifndef KPIPE_VALIDATION_PARTIALREADS_H
#define KPIPE_VALIDATION_PARTIALREADS_H

#include "Validation/Order/OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include <array>
#include <optional>

namespace kpipe {

/// \param Block the block's shape, \param Threads their number, where known.
std::optional<OrderViolation>
findReadOfLeftOut(const TileLoop &Loop, const PipelinePlan &Plan,
                  const CodeIndex &Index,
                  std::optional<std::array<unsigned, 3>> Block,
                  std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_PARTIALREADS_H
