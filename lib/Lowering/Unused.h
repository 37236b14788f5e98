// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function declares for its asynchronous copies and does not use any
// more: pipelines, barriers and who initialises them, sizes, groups.
#ifndef KPIPE_LOWERING_UNUSED_H
#define KPIPE_LOWERING_UNUSED_H

#include "Code/AsyncOps.h"
#include "Emission/SourceText.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// A name that the text has elsewhere is used, also where the tree does not
/// show it: in a type, a bound, a template argument.
/// \param Gone statements that are not there any more.
/// \param Kept expressions in them that still are.
/// \returns further statements that can go, declarations and initialisations.
llvm::SmallVector<const clang::Stmt *, 4>
findUnused(const clang::FunctionDecl *Body, const AsyncOps &Ops,
           const SourceText &Source, llvm::ArrayRef<const clang::Stmt *> Gone,
           llvm::ArrayRef<const clang::Expr *> Kept);

/// Nothing but the toolkit's functions make a value, of what only computes:
/// groups, pipelines.
bool isMadeByToolkit(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_LOWERING_UNUSED_H
