// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of the loop's function that runs before and after the loop: whether
// it needs a barrier behind the loop, and which asynchronous copies it leaves
// in flight.
#ifndef KPIPE_RECOGNITION_WHATFOLLOWS_H
#define KPIPE_RECOGNITION_WHATFOLLOWS_H

#include "LoopFacts.h"

namespace kpipe {

/// Sets LoopFacts::After and AsyncBefore, Tile.BarrierAfter and LeftBefore.
void findWhatFollows(LoopFacts &Facts);

/// May a thread have left the kernel when others come to the loop, in any of its
/// runs, or to its end?
bool mayHaveLeft(const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_WHATFOLLOWS_H
