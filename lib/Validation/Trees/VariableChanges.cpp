// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk, see VariableChanges.h.

#include "VariableChanges.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

struct ChangesFinder : ConstDynamicRecursiveASTVisitor {
  VariableChanges Of;

  llvm::DenseSet<const Expr *> Reads;
  ChangesFinder() { ShouldVisitImplicitCode = true; }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      Of.Written.insert(B->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      Of.Written.insert(U->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Of.Captured.push_back(V);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      Reads.insert(C->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && V->hasLocalStorage() && !Reads.count(D))
      Of.Found.push_back(D);
    return true;
  }
};

} // namespace

VariableChanges changesIn(const Stmt *S) {
  ChangesFinder F;
  F.TraverseStmt(S);
  return std::move(F.Of);
}

} // namespace kpipe
