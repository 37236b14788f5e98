// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarriers of a bulk tile: which variables they are, who initialises them,
// for how many arrivals, and that they are nobody else's.
#ifndef KPIPE_RECOGNITION_BULKBARRIER_H
#define KPIPE_RECOGNITION_BULKBARRIER_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Fills Init of the tile's barriers; foreign-async where they are not as they
/// have to be. \pre who arrives is known, see BulkIssue.h.
void findBarriers(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKBARRIER_H
