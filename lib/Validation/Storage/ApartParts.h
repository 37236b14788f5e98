// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of a staged block of which the analysis says that they have nothing in
// common with its tile. The validators' own proof: a walk from the top that
// knows of each address how far from the block's beginning it is, at least and
// at most. Private to the validation.
#ifndef KPIPE_VALIDATION_APARTPARTS_H
#define KPIPE_VALIDATION_APARTPARTS_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

namespace kpipe {

/// Each name with the one that stands for its part.
using ApartNames =
    llvm::DenseMap<const clang::VarDecl *, const clang::VarDecl *>;
ApartNames apartNames(const TileLoop &Loop);

/// The first use of the block that is not shown to stay in its own part; null
/// if all are.
const clang::Stmt *leavesItsPart(const TileLoop &Loop, const StagedBuffer &B,
                                 clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_VALIDATION_APARTPARTS_H
