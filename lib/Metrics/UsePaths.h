// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a function's body to a name in it, to be gone up again
// expression by expression.
#ifndef KPIPE_METRICS_USEPATHS_H
#define KPIPE_METRICS_USEPATHS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace kpipe {

/// What holds a name, outermost first; the name is the last.
using UsePath = std::vector<const clang::Stmt *>;

/// Paths from a body to each mention of a variable.
std::vector<UsePath> pathsTo(const clang::Stmt *Body, const clang::VarDecl *V);

/// An expression on its path, and the call by which its function was entered.
struct UseSite {
  const UsePath *Along;
  size_t At;
  const UseSite *Call = nullptr;

  const clang::Expr *expr() const {
    return llvm::cast<clang::Expr>((*Along)[At]);
  }
  const clang::Stmt *above() const { return At ? (*Along)[At - 1] : nullptr; }
  UseSite up() const { return {Along, At - 1, Call}; }
};

/// Goes up from the name of an array through the subscripts around it, Rank at
/// most, and returns them, that of the first dimension first.
llvm::SmallVector<const clang::Expr *, 4> subscriptsAround(UseSite &S,
                                                           unsigned Rank);

/// The variable whose initialiser E is, or null.
/// \param Above the statement that holds E.
const clang::VarDecl *initialised(const clang::Stmt *Above,
                                  const clang::Expr *E);

/// Which argument of the call E is; their number if it is none.
unsigned argumentIndex(const clang::CallExpr *C, const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_METRICS_USEPATHS_H
