// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Changes.h.
#include "Changes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

static bool namesVariable(const Expr *E, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D && D->getDecl() == V;
}

namespace {

class ChangesFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit ChangesFinder(const VarDecl *V) : V(V) {}
  llvm::SmallVector<const Expr *, 4> Found;
  bool Otherwise = false;

  bool TraverseImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue && namesVariable(C->getSubExpr(), V))
      return true;
    return Base::TraverseImplicitCastExpr(C);
  }
  bool TraverseBinaryOperator(const BinaryOperator *B) override {
    return change(B, B->isAssignmentOp() ? B->getLHS() : nullptr)
               ? TraverseStmt(B->getRHS())
               : Base::TraverseBinaryOperator(B);
  }
  bool
  TraverseCompoundAssignOperator(const CompoundAssignOperator *B) override {
    return change(B, B->getLHS()) ? TraverseStmt(B->getRHS())
                                  : Base::TraverseCompoundAssignOperator(B);
  }
  bool TraverseUnaryOperator(const UnaryOperator *U) override {
    return change(U, U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr) ||
           Base::TraverseUnaryOperator(U);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Otherwise |= D->getDecl() == V;
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    // What it captures it may change later.
    for (const LambdaCapture &C : L->captures())
      Otherwise |= C.capturesVariable() && C.getCapturedVar() == V &&
                   C.getCaptureKind() == LCK_ByRef;
    return Base::TraverseLambdaExpr(L);
  }

private:
  using Base = ConstDynamicRecursiveASTVisitor;
  const VarDecl *V;

  bool change(const Expr *Whole, const Expr *Target) {
    if (!Target || !namesVariable(Target, V))
      return false;
    Found.push_back(Whole);
    return true;
  }
};

} // namespace

std::optional<llvm::SmallVector<const Expr *, 4>> changesOf(const VarDecl *V,
                                                            const Stmt *S) {
  ChangesFinder F(V);
  F.TraverseStmt(S);
  if (F.Otherwise)
    return std::nullopt;
  return std::move(F.Found);
}

const Expr *addend(const VarDecl *V, const Expr *Change) {
  const auto *B = dyn_cast<BinaryOperator>(Change);
  if (!B)
    return nullptr;
  if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign)
    return B->getRHS();
  const auto *Sum = dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  if (B->getOpcode() != BO_Assign || !Sum || !Sum->isAdditiveOp())
    return nullptr;
  if (namesVariable(Sum->getLHS()->IgnoreParenImpCasts(), V))
    return Sum->getRHS();
  return Sum->getOpcode() == BO_Add &&
                 namesVariable(Sum->getRHS()->IgnoreParenImpCasts(), V)
             ? Sum->getLHS()
             : nullptr;
}

} // namespace kpipe
