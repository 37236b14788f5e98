// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UsesOfVariables.h.
#include "Code/UsesOfVariables.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

struct Uses : ConstDynamicRecursiveASTVisitor {
  UsesOfVariables Found;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Plain;

  void note(const Expr *Target, const Expr *Change) {
    const auto *D = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V)
      return;
    Plain.insert(D);
    if (Change)
      Found.Changes[V].push_back(Change);
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() != CK_LValueToRValue)
      return true;
    note(C->getSubExpr(), nullptr);
    // `a < b ? a : b` of two variables is read as a whole.
    if (const auto *Of =
            dyn_cast<ConditionalOperator>(C->getSubExpr()->IgnoreParens())) {
      note(Of->getTrueExpr(), nullptr);
      note(Of->getFalseExpr(), nullptr);
    }
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      note(U->getSubExpr(), U);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      note(B->getLHS(), B);
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable())
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Found.Handed.insert(V);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && !Plain.count(D))
      Found.Handed.insert(V);
    return true;
  }
};

} // namespace

UsesOfVariables usesIn(const Stmt *S) {
  Uses All;
  All.TraverseStmt(S);
  return std::move(All.Found);
}

} // namespace kpipe
