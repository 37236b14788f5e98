// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose result is made of what they are given and of what the block is: no
// memory behind pointers, no thread's index, nothing that changes. Threads of a
// block that give the same get the same.
#ifndef KPIPE_CODE_OFARGUMENTS_H
#define KPIPE_CODE_OFARGUMENTS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Is the result of C made of its arguments, and of the local object that it is
/// called on? Such a call changes none of them. False where that is not known.
bool madeOfArguments(const clang::CallExpr *C);

/// The variable that an lvalue is, or is a member or an element of; null where
/// a pointer leads there. Indices: of the elements on the way.
const clang::DeclRefExpr *
ownerIn(const clang::Expr *E,
        llvm::SmallVectorImpl<const clang::Expr *> &Indices);

/// Does E name an element of an array that is a part of a local object, and no
/// other memory?
bool namesPartOfLocal(const clang::ArraySubscriptExpr *E);

/// The local variable or parameter that E is, or is a part of, with elements of
/// its arrays; null where a pointer or a reference is followed on the way.
const clang::DeclRefExpr *localObjectOf(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_CODE_OFARGUMENTS_H
