// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several rules ask of a loop.
#ifndef KPIPE_LEGALITY_QUERIES_H
#define KPIPE_LEGALITY_QUERIES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Where an access stands; the loop if that is not known.
clang::SourceLocation placeOf(const MemoryAccess &A, const LoopFacts &F);

/// What memory messages call it: a variable, or its kind.
Message named(const MemoryRoot &R);

/// What nothing shows to be global may be shared memory.
bool mayBeShared(const MemoryAccess &A);
bool mayBeGlobal(const MemoryAccess &A);

/// Was an access made by what an event describes?
bool within(const MemoryAccess &A, const Event &E);

/// What the input does before the barrier that ends its load region: some of
/// it may have been given to the compute, and so moves behind that barrier.
/// \param AndLoad what the load region does behind that barrier as well.
Effects beforeBarrier(const LoopFacts &F, bool AndLoad = true);

/// Has recognition said something of the accesses at this place already?
bool isReported(const LoopFacts &F, clang::SourceLocation Where);

/// Tells the author to let kpipe see the function that E calls, if it is one
/// that a definition would help with.
void addCure(Obstacle &Found, const Event &E);

} // namespace kpipe

#endif // KPIPE_LEGALITY_QUERIES_H
