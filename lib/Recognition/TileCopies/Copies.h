// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the stores of a load region into staged buffers, in the body itself
// and in the helper functions that it calls, and tells of each what it copies,
// under which guard, and whether its shape allows an asynchronous copy.
#ifndef KPIPE_RECOGNITION_COPIES_H
#define KPIPE_RECOGNITION_COPIES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Fills Tile.Buffers and Tile.Copies from the items that are InLoad and store
/// to shared memory. Shared stores that are no assignments become a
/// `load-effects` finding, read-modify-writes a `carried-shared` one.
void findCopies(LoopFacts &Facts);

/// The copy stores what is written there, a temporary that stays.
void keepTemporary(TileCopy &C);

/// An ordinary store into a buffer can be overtaken by a copy to it that is
/// still in flight: then every copy of that buffer goes through registers, but
/// for those in another branch.
void keepAsyncOrder(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COPIES_H
