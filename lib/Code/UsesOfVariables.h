// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done with the variables of a statement: which are changed, and where,
// and which are handed to somebody who may change them later.
#ifndef KPIPE_CODE_USESOFVARIABLES_H
#define KPIPE_CODE_USESOFVARIABLES_H

#include "Code/Scope.h"
#include "kpipe/TileLoop.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct UsesOfVariables {
  /// The assignments and increments of a variable.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Changes;
  /// Variables that are named otherwise than to be read or changed: bound to a
  /// reference, captured, or their address taken.
  VarSet Handed;
};

UsesOfVariables usesIn(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_CODE_USESOFVARIABLES_H
