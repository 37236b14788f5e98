// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the wgmma of one tile may still be in flight while the next tile's
// are issued: nothing but wgmma touches the sums in the loop.
#ifndef KPIPE_RECOGNITION_BULKFLIGHT_H
#define KPIPE_RECOGNITION_BULKFLIGHT_H

#include "Code/BulkOps.h"
#include "LoopFacts.h"

namespace kpipe {

/// Parallel to TileLoop::Body.
using BulkOpsOfItems = llvm::SmallVector<llvm::SmallVector<BulkOp, 8>, 16>;

/// Fills MatrixWait and NotInFlight, and takes a wait that may wait for less
/// out of the compute region. wgmma that is not waited for is foreign-async.
void findFlight(LoopFacts &Facts, const BulkOpsOfItems &Ops);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKFLIGHT_H
