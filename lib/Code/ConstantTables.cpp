// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mention of the array has to be a read of one element, see
// ConstantTables.h.

#include "ConstantTables.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

static const VarDecl *subscripted(const Expr *E) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParens());
  const auto *Decay =
      A ? dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens()) : nullptr;
  if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
    return nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(Decay->getSubExpr()->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const InitListExpr *tableOf(const ArraySubscriptExpr *A) {
  const VarDecl *V = subscripted(A);
  const auto *F = V && V->hasLocalStorage()
                      ? dyn_cast<FunctionDecl>(V->getDeclContext())
                      : nullptr;
  if (!F || !F->getBody() || !V->getInit() ||
      !V->getType()->isConstantArrayType() ||
      !A->getType()->isIntegralOrEnumerationType())
    return nullptr;
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Other = false;
    bool TraverseImplicitCastExpr(const ImplicitCastExpr *E) override {
      if (E->getCastKind() != CK_LValueToRValue ||
          subscripted(E->getSubExpr()) != V)
        return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(E);
      return TraverseStmt(
          cast<ArraySubscriptExpr>(E->getSubExpr()->IgnoreParens())->getIdx());
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Other |= D->getDecl() == V;
      return !Other;
    }
  } Find;
  Find.V = V;
  Find.TraverseStmt(F->getBody());
  return Find.Other ? nullptr
                    : dyn_cast<InitListExpr>(V->getInit()->IgnoreParens());
}

} // namespace kpipe
