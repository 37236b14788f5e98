// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body that loads a tile, computes, loads another one and computes again: what
// its author can do to make one load of both.
#ifndef KPIPE_RECOGNITION_LOADPHASES_H
#define KPIPE_RECOGNITION_LOADPHASES_H

#include "LoopFacts.h"
#include "llvm/ADT/ArrayRef.h"

namespace kpipe {

/// What helps where stretch Second loads again, if something is known to.
/// \param Barriers the items of the body between which the stretches are.
std::optional<Obstacle::Remark> asOneLoad(const LoopFacts &Facts,
                                          llvm::ArrayRef<unsigned> Barriers,
                                          unsigned First, unsigned Second);

/// May anything of the body come from global to shared memory, in whatever order
/// and by whatever registers? Else it is no tile loop, and not meant to be one.
bool mayFillShared(const LoopFacts &Facts);

/// False: no tile is loaded. Says so, and where one may be in a way that is not
/// followed. \param Last barrier of the body.
bool findsNoTile(LoopFacts &Facts, unsigned Last);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_LOADPHASES_H
