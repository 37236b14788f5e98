// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls and inline assembly in which a compiler has nothing to fuse with what
// stands around them.
#ifndef KPIPE_METRICS_SEENCALLS_H
#define KPIPE_METRICS_SEENCALLS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// It adds and multiplies no floating-point numbers, or only in instructions
/// that say how they round. False where that is not known.
bool keepsFloats(const clang::CallExpr *C);
bool keepsFloats(const clang::GCCAsmStmt *A);

/// A function that hands one of its arguments on, such as fmaxf.
bool handsOn(const clang::FunctionDecl *F);

/// Its result is rounded, loaded or another thread's, and never a product that
/// could be fused with a sum.
bool isOpaque(const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_METRICS_SEENCALLS_H
