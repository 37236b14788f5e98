// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a load region can be split into a fetch to registers and a store to
// shared memory.
#ifndef KPIPE_RECOGNITION_SPLIT_H
#define KPIPE_RECOGNITION_SPLIT_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Fills PlaceNeeds and ValueNeeds of each copy and decides whether the load
/// region can be split (Tile.NotSplittable).
void checkSplit(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SPLIT_H
