// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies have no order. Runs what a plan loads ahead for the threads
// of a block, with a few samples of what is not known, and looks whether one
// thread writes one place of a tile twice. A second look at what the analysis has
// shown for all values, by other means: what it finds is wrong, what it does not
// find need not be right.
#ifndef KPIPE_VALIDATION_ASYNCPLACES_H
#define KPIPE_VALIDATION_ASYNCPLACES_H

#include "Validation/Order/OrderViolation.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include <array>
#include <optional>

namespace kpipe {

/// \param Block the block's shape, \param Threads their number, where known.
std::optional<OrderViolation>
findAsyncCollision(const TileLoop &Loop, const PipelinePlan &Plan,
                   const clang::ASTContext &Context,
                   std::optional<std::array<unsigned, 3>> Block,
                   std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_ASYNCPLACES_H
