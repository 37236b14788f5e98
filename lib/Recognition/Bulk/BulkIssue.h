// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who issues the copies of a bulk tile, where they go, who arrives, and how many
// bytes are expected.
#ifndef KPIPE_RECOGNITION_BULKISSUE_H
#define KPIPE_RECOGNITION_BULKISSUE_H

#include "Recognition/Body/MatrixFlight.h"

namespace kpipe {

/// Fills Bytes and AllArrive of the tile's barriers; foreign-async where a tile
/// is issued in a way that cannot be done ahead.
void checkIssue(LoopFacts &Facts, const BulkOpsOfItems &Ops);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKISSUE_H
