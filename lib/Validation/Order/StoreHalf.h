// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the half of a load that stores from registers computes anew: the places
// of the stores, and all that decides them.
#ifndef KPIPE_VALIDATION_STOREHALF_H
#define KPIPE_VALIDATION_STOREHALF_H

#include "Validation/Storage/StorageRoots.h"
#include "Validation/Trees/CodeNodes.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// Variables that the half needs, and the nodes of the body and of helpers that
/// it evaluates for them.
struct StoreHalf {
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Needs;
  StmtSet Nodes;

  /// True if it was not wanted before.
  bool want(const clang::Stmt *S);
};

/// \param In a frame of the loop's function.
StoreHalf storeHalfOf(const TileLoop &Loop, const PipelinePlan &Plan,
                      const CallFrame &In);

} // namespace kpipe

#endif // KPIPE_VALIDATION_STOREHALF_H
