// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that may be evaluated once more, or not at all.
#ifndef KPIPE_LOWERING_COMPUTESONLY_H
#define KPIPE_LOWERING_COMPUTESONLY_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// Changes nothing and asks nothing but variables, memory, thread indices and
/// functions of the toolkit that compute. False where that is not known.
bool computesOnly(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_LOWERING_COMPUTESONLY_H
