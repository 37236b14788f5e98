// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where code names elements of an array, and what it does with each.
#ifndef KPIPE_RECOGNITION_ELEMENTMENTIONS_H
#define KPIPE_RECOGNITION_ELEMENTMENTIONS_H

#include "Recognition/Sums/PlacesInRows.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace kpipe {

/// The subscripts of an lvalue of B with all of its dimensions; empty if it is
/// none.
Subscripts subscriptsOf(const clang::Expr *E, const clang::VarDecl *B);

/// All mentions of a buffer in a statement, and what reads an element by each.
struct MentionsOfBuffer : clang::ConstDynamicRecursiveASTVisitor {
  const clang::VarDecl *B;
  llvm::SmallVector<const clang::Stmt *, 16> Path;
  /// The lvalue that names the element; null if that is not all that is done.
  llvm::SmallVector<const clang::Expr *, 8> Elements;
  explicit MentionsOfBuffer(const clang::VarDecl *B) : B(B) {}

  bool TraverseStmt(const clang::Stmt *S) override;
  bool VisitDeclRefExpr(const clang::DeclRefExpr *D) override;

private:
  const clang::Expr *elementAround() const;
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_ELEMENTMENTIONS_H
