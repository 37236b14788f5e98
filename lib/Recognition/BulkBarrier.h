// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarrier of a bulk tile: which variable it is, who initialises it, and
// that it is nobody else's.
#ifndef KPIPE_RECOGNITION_BULKBARRIER_H
#define KPIPE_RECOGNITION_BULKBARRIER_H

#include "Code/BulkOps.h"
#include "LoopFacts.h"

namespace kpipe {

/// Fills Barrier and Init of the tile; foreign-async where they are not as they
/// have to be.
void findBarrier(LoopFacts &Facts, const BulkOp &Wait);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKBARRIER_H
