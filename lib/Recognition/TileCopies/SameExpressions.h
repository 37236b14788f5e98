// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of two loops that run in step.
#ifndef KPIPE_RECOGNITION_SAMEEXPRESSIONS_H
#define KPIPE_RECOGNITION_SAMEEXPRESSIONS_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// Variables of one loop, each with that of the other which stands for it.
using Counters = decltype(Temporary::Counters);

/// Do two expressions say the same when the counters of one stand for those of
/// the other?
bool sameButFor(const Counters &Map, const clang::Stmt *A, const clang::Stmt *B,
                const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SAMEEXPRESSIONS_H
