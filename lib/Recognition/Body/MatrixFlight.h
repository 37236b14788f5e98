// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma of the compute region: that a tile's are waited for before it is
// overwritten, and whether they may still be in flight while the next tile's are
// issued, as nothing but wgmma touches the sums in the loop.
#ifndef KPIPE_RECOGNITION_MATRIXFLIGHT_H
#define KPIPE_RECOGNITION_MATRIXFLIGHT_H

#include "Code/BulkOps.h"
#include "LoopFacts.h"

namespace kpipe {

/// Parallel to TileLoop::Body.
using BulkOpsOfItems = llvm::SmallVector<llvm::SmallVector<BulkOp, 8>, 16>;

/// Fills TileLoop::Matrix, and takes a wait that may wait for less out of the
/// compute region. wgmma that is not waited for is foreign-async.
void findFlight(LoopFacts &Facts, const BulkOpsOfItems &Ops);

/// Of a loop with plain tiles: the operations of its statements, if any is
/// wgmma; else empty.
BulkOpsOfItems matrixOpsOf(const LoopFacts &Facts);

/// Marks statements of the load, \p Front, that are proxy fences and nothing
/// else as BodyItem::Replaced: the pipeline has its own behind the copies.
void dropProxyFences(LoopFacts &Facts, const BulkOpsOfItems &Ops,
                     llvm::ArrayRef<bool> Front);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_MATRIXFLIGHT_H
