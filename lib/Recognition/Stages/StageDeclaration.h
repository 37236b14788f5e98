// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the stage of the last tile can be declared before a loop, for the
// code behind it.
#ifndef KPIPE_RECOGNITION_STAGEDECLARATION_H
#define KPIPE_RECOGNITION_STAGEDECLARATION_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// The block in which the loop is a statement of its own, where the stage of
/// the last tile can be declared; null if it is the branch of a condition.
const clang::CompoundStmt *blockOfLoop(const TileLoop &Tile);

/// May a `goto` or a `case` of the function lead past the loop within its
/// block, where a declaration before the loop would be in its way?
bool isJumpedOver(const clang::Stmt *Block, const TileLoop &Tile,
                  const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STAGEDECLARATION_H
