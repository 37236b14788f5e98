// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the compute that close a tile with a barrier of their own.
#ifndef KPIPE_RECOGNITION_CLOSINGLOOP_H
#define KPIPE_RECOGNITION_CLOSINGLOOP_H

#include "LoopFacts.h"
#include <optional>

namespace kpipe {

/// A loop that runs once at least, by its first condition or as a do loop, and
/// ends each time with a barrier.
bool endsWithBarrier(const clang::Stmt *S, const Scope &In);

/// Why the barrier at the end of a loop is not enough; nothing if the loop has
/// none there.
std::optional<Obstacle::Remark> whyNotClosing(const clang::Stmt *S,
                                              const Scope &In);

/// A barrier that a statement which does more than to wait passes between the
/// last read of the tiles, in the item Last, and the next store to them; none
/// if there is none. Facts keep the statement.
std::optional<Obstacle::Remark> barrierOfTurn(LoopFacts &Facts, size_t Last,
                                              const VarSet &Tiles);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_CLOSINGLOOP_H
