// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one expression does to a value: an assignment that copies it, a read
// that does not change it, a zero.
#ifndef KPIPE_RECOGNITION_COPIEDVALUES_H
#define KPIPE_RECOGNITION_COPIEDVALUES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <utility>

namespace kpipe {

/// E without parentheses, cleanups and temporaries around it.
const clang::Expr *unwrapped(const clang::Expr *E);

/// Left and right side of an assignment of values, built in or a trivial
/// operator=, else nulls.
std::pair<const clang::Expr *, const clang::Expr *>
assignmentOf(const clang::Expr *E);

/// The lvalue that a value is read from without a change, or null: through
/// lvalue-to-rvalue, trivial copy construction and __ldg.
/// \param ReadOnly set where a function of the toolkit does the load.
const clang::Expr *readLValue(const clang::Expr *E, bool &ReadOnly);

/// An all-zero-bits value as people write it. A name says so only where it is
/// the toolkit's; what a user's function or constructor makes is evaluated.
bool isZero(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COPIEDVALUES_H
