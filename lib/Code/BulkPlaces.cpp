// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables behind places and values, see BulkPlaces.h and BulkOps.h.
#include "BulkPlaces.h"
#include "AstUtils.h"
#include "BulkOps.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool givesNewValue(const Stmt *S, const VarDecl *V) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && updatedVariable(E) == V)
    return true;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    if (const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
        D && D->getDecl() == V)
      return true;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (const auto *D =
              dyn_cast<DeclRefExpr>(A->getOutputExpr(I)->IgnoreParens());
          D && D->getDecl() == V)
        return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Kid) { return givesNewValue(Kid, V); });
}

const VarDecl *variableAt(const Expr *E, const ASTContext &Context,
                          bool *Whole) {
  if (Whole)
    *Whole = true;
  for (unsigned Steps = 0; E && Steps != 16; ++Steps) {
    E = E->IgnoreParenCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(D->getDecl());
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      const Expr *Sub = U->getSubExpr()->IgnoreParens();
      // Where a pointer variable itself stands is no place in the buffer.
      if (U->getOpcode() != UO_AddrOf || Sub->getType()->isPointerType())
        return nullptr;
      E = Sub;
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      if (Whole && constantValue(S->getIdx(), Context) != 0)
        *Whole = false;
      E = S->getBase();
    } else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->getOpcode() == BO_Add) {
      if (Whole)
        *Whole = false;
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
      if (!E->getType()->isPointerType())
        return nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

} // namespace kpipe
