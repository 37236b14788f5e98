// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of an expression's meaning where its text stands without the
// conversions around it.
#ifndef KPIPE_CODE_CONVERSIONS_H
#define KPIPE_CODE_CONVERSIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace kpipe {

/// E without conversions that leave an address what it is, also as a number of
/// 32 bits. Null where one does not: to a base class, by a function.
const clang::Expr *samePlace(const clang::Expr *E,
                             const clang::ASTContext &Context);

/// E without conversions after which it is 0 where it was before. Null where
/// one loses bits.
const clang::Expr *sameTruth(const clang::Expr *E,
                             const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_CODE_CONVERSIONS_H
