// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All checks that run threads of a block with numbers: what they find is wrong,
// what they do not find need not be right.
#ifndef KPIPE_VALIDATION_RUNSOFTHREADS_H
#define KPIPE_VALIDATION_RUNSOFTHREADS_H

#include "Validation/Order/OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include <array>
#include <optional>

namespace kpipe {

/// \param Block the block's shape, \param Threads their number, where known.
std::optional<OrderViolation>
findByRunning(const TileLoop &Loop, const PipelinePlan &Plan,
              const CodeIndex &Index,
              std::optional<std::array<unsigned, 3>> Block,
              std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_RUNSOFTHREADS_H
