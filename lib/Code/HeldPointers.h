// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointer members of a local object can be given: values of its
// members, and whole objects of which it is a copy. Private to the analysis; it
// finds expressions and does not say what they point to.
#ifndef KPIPE_CODE_HELDPOINTERS_H
#define KPIPE_CODE_HELDPOINTERS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct HeldPointers {
  /// What single members are given, anywhere in the function.
  llvm::SmallVector<const clang::Expr *, 4> Values;
  /// What the object is initialised with and assigned, as a whole.
  llvm::SmallVector<const clang::Expr *, 2> Objects;
  /// It is used in a way by which it may be given anything.
  bool Anything = false;
};

/// \param V a local variable of class type.
/// \param Body of the function that declares it.
HeldPointers heldPointers(const clang::VarDecl *V, const clang::Stmt *Body);

} // namespace kpipe

#endif // KPIPE_CODE_HELDPOINTERS_H
