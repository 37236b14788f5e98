// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions below the nodes that Clang puts around them and that change no
// value.
#ifndef KPIPE_LIB_CODE_SUGAR_H
#define KPIPE_LIB_CODE_SUGAR_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// E without parentheses, ends of temporaries and template parameters that were
/// replaced. Conversions stay.
const clang::Expr *withoutSugar(const clang::Expr *E);

/// The same, and a default argument in the place of its use: what is evaluated,
/// though its text stands elsewhere.
const clang::Expr *evaluated(const clang::Expr *E);

/// Does E turn V from one parity to the other: `v ^= 1`, `v = v ^ 1`, `v = !v`,
/// `v = 1 - v`?
bool flipsParity(const clang::Expr *E, const clang::VarDecl *V,
                 const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_CODE_SUGAR_H
