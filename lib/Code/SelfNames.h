// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second names that no statement makes by itself: objects that keep the address
// of a part of their own, and assignments whose result, the variable, is bound.
// Knows nothing of loops.
#ifndef KPIPE_CODE_SELFNAMES_H
#define KPIPE_CODE_SELFNAMES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// May an object of the type, or a part of it, hold the address of itself as
/// soon as it is made? It may be made by whatever makes the object around it:
/// an implicit constructor, a list of values, a call that returns it.
bool mayKnowItself(clang::QualType T);
bool mayKnowItself(const clang::CXXRecordDecl *R);

/// Is a member another one's name by its declaration, `Matrix &all = own;`?
bool isMadeOfOthers(const clang::FieldDecl *F);

/// `a = 0`, `++a`, `a += 1` are `a`: those in S of which more is done than to
/// read or drop the value, `float &r = (a = 0)`, `&++a`, `(a = 0) = b`, `{a =
/// 0}` for a member that is a reference.
using Results = llvm::SmallPtrSet<const clang::Stmt *, 4>;
Results keptResults(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_CODE_SELFNAMES_H
