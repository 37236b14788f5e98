// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that choose which helper fills a tile, not whether one does:
// `if (full) load<true>(As, …); else load<false>(As, …);`.
#ifndef KPIPE_RECOGNITION_STOREDBYEITHERCALL_H
#define KPIPE_RECOGNITION_STOREDBYEITHERCALL_H

#include "Recognition/Body/LoopFacts.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// The conditions of those `if`s around the call that C stands behind in whose
/// other arm a call stores the place of C whenever it is run.
/// \param Root the body of the loop.
/// \param In its scope.
llvm::SmallPtrSet<const clang::Expr *, 4>
idleAroundCall(const TileLoop &Tile, const TileCopy &C, const clang::Stmt *Root,
               const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STOREDBYEITHERCALL_H
