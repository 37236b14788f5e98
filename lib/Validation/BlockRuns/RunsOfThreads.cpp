// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One after the other, see RunsOfThreads.h.

#include "RunsOfThreads.h"
#include "AsyncPlaces.h"
#include "BarrierCounts.h"
#include "PartialReads.h"
#include "StoredElements.h"

namespace kpipe {

std::optional<OrderViolation>
findByRunning(const TileLoop &Loop, const PipelinePlan &Plan,
              const CodeIndex &Index,
              std::optional<std::array<unsigned, 3>> Block,
              std::optional<unsigned> Threads) {
  if (auto Lost =
          findAsyncCollision(Loop, Plan, Index.context(), Block, Threads))
    return Lost;
  if (auto Lost = findUnevenBarrier(Loop, Index, Block, Threads))
    return Lost;
  if (auto Lost = findReadOfLeftOut(Loop, Plan, Index, Block, Threads))
    return Lost;
  return findElementLeftOut(Loop, Plan, Index, Block, Threads);
}

} // namespace kpipe
