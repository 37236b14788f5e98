// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the body of a function says of its own pointers, wherever it
// says it: what pointers are given and what is returned.
// Finds expressions and does not say what they point to.
#ifndef KPIPE_CODE_LOCALVALUES_H
#define KPIPE_CODE_LOCALVALUES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Values that each local pointer and reference takes; a null entry means
/// "anything".
using PointerValues = llvm::DenseMap<const clang::VarDecl *,
                                     llvm::SmallVector<const clang::Expr *, 2>>;
PointerValues valuesOfPointers(const clang::Stmt *Body);

/// The pointer variable that E names, or null.
const clang::VarDecl *pointerNamedBy(const clang::Expr *E);

/// What a function returns, in the order of its `return`s.
llvm::SmallVector<const clang::Expr *, 2>
returnedValues(const clang::FunctionDecl *Definition);

} // namespace kpipe

#endif // KPIPE_CODE_LOCALVALUES_H
