// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that may be evaluated once more, or not at all.
#ifndef KPIPE_CODE_COMPUTESONLY_H
#define KPIPE_CODE_COMPUTESONLY_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// Changes nothing and asks nothing but variables, memory, thread indices and
/// functions that do no more, the toolkit's or those that are one expression.
/// False where that is not known. \param Depth of calls that led to E.
bool computesOnly(const clang::Expr *E, unsigned Depth = 0);

} // namespace kpipe

#endif // KPIPE_CODE_COMPUTESONLY_H
