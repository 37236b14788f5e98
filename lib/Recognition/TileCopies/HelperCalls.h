// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of helpers that fill a tile: what their bodies mean there, and
// which helpers can have clones at all.
#ifndef KPIPE_RECOGNITION_HELPERCALLS_H
#define KPIPE_RECOGNITION_HELPERCALLS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// The helper that a copy stands in, as its call in the loop enters it.
Scope helperScope(const TileCopy &C, const Scope &In);

/// Why a helper cannot have a clone for this call; null if it can.
Message whyNotCloned(const clang::CallExpr *Call,
                     const clang::FunctionDecl *Helper);

/// Why the object that a member function is called on may be another one, or
/// have other members, for another tile; null if it may not, or if there is
/// none.
Message whyObjectVaries(const clang::CallExpr *Call,
                        const clang::FunctionDecl *Helper,
                        const LoopFacts &Facts);

/// Do places or conditions in the helper need what the call gives as \p
/// Argument?
bool placesNeed(const TileCopy &C, unsigned Argument);

/// Does the helper take it as bits by value, of which nothing becomes where
/// nobody names them?
bool isBits(const TileCopy &C, unsigned Argument, const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_HELPERCALLS_H
