// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that ask whether a pointer is aligned. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ASKEDPOINTER_H
#define KPIPE_LIB_VALIDATION_ASKEDPOINTER_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace kpipe {

/// p of `(size_t)p % 16 == 0`; null for anything else.
const clang::Expr *askedPointer(const clang::Expr *E,
                                const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ASKEDPOINTER_H
