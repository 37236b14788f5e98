// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an author's expression does beside its value, decided by a small
// conservative walk of its own. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_SIDEEFFECTS_H
#define KPIPE_LIB_VALIDATION_SIDEEFFECTS_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// The variable that the statement's own node (not what is below it) changes,
/// by its name: `v = …`, `++v.x`, `v[i] += …` of an array. Null if it changes
/// none, or something that has no name here.
const clang::VarDecl *changedByName(const clang::Stmt *S);

/// The same through a reference or a pointer that is declared with the variable
/// and whose own value nothing changes: `*p += 3` behind `int *const p = &v`.
/// Null if the variable is changed by its own name, or by none that is known.
const clang::VarDecl *changedByOtherName(const clang::Stmt *S);

/// Does the node itself do something that counts how often it is done?
bool hasOwnEffect(const clang::Stmt *S);

/// Does one of two expressions change, by an operator, what the other one
/// reads? As arguments of a call they are evaluated in any order.
bool hangOnTheirOrder(const clang::Stmt *A, const clang::Stmt *B);

/// Are all bits of the value zero, whatever the user's functions do?
bool isAllZeroBits(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SIDEEFFECTS_H
