// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions around a store that say what is stored, and not whether something
// is: the other arm stores the same place, or an earlier fill has done so.
#ifndef KPIPE_RECOGNITION_STOREDEITHERWAY_H
#define KPIPE_RECOGNITION_STOREDEITHERWAY_H

#include "Recognition/Body/LoopFacts.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// The conditions of those `if`s around the store of C that its place is stored
/// without as well.
/// \param Root what holds the store: the body of a helper, or of the loop.
/// \param In the scope of Root.
llvm::SmallPtrSet<const clang::Expr *, 4>
idleConditions(const TileLoop &Tile, const TileCopy &C, const clang::Stmt *Root,
               const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STOREDEITHERWAY_H
