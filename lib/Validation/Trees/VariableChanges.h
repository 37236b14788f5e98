// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mentions of local variables that are more than a read of their value.
#ifndef KPIPE_VALIDATION_VARIABLECHANGES_H
#define KPIPE_VALIDATION_VARIABLECHANGES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct VariableChanges {
  llvm::SmallVector<const clang::DeclRefExpr *, 8> Found;
  /// Of these, the mentions that are assigned or stepped.
  llvm::DenseSet<const clang::Expr *> Written;
  llvm::SmallVector<const clang::VarDecl *, 2> Captured; ///< by reference
};

VariableChanges changesIn(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_VALIDATION_VARIABLECHANGES_H
