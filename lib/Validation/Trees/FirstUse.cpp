// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk in the order of evaluation, see FirstUse.h. Only plain assignments of
// the whole variable count as writes.

#include "FirstUse.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"

using namespace clang;

namespace kpipe {

namespace {

FirstUse inSequence(llvm::ArrayRef<const Stmt *> Parts, const VarDecl *V) {
  FirstUse All = FirstUse::None;
  for (const Stmt *S : Parts) {
    FirstUse U = firstUse(S, V);
    if (U == FirstUse::Exposed || U == FirstUse::Killed)
      return U;
    if (U == FirstUse::Covered)
      All = U;
  }
  return All;
}

/// What runs perhaps.
FirstUse maybe(FirstUse U) {
  return U == FirstUse::Killed ? FirstUse::Covered : U;
}

FirstUse either(FirstUse A, FirstUse B) {
  if (A == FirstUse::Exposed || B == FirstUse::Exposed)
    return FirstUse::Exposed;
  if (A == FirstUse::Killed && B == FirstUse::Killed)
    return A;
  return A == FirstUse::None && B == FirstUse::None ? A : FirstUse::Covered;
}

FirstUse then(FirstUse A, FirstUse B) {
  if (A == FirstUse::Exposed || A == FirstUse::Killed)
    return A;
  if (B == FirstUse::None)
    return A;
  return A == FirstUse::None ? B : B == FirstUse::Exposed ? B : FirstUse::Covered;
}

} // namespace

FirstUse firstUse(const Stmt *S, const VarDecl *V) {
  if (!S)
    return FirstUse::None;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    return D->getDecl() == V ? FirstUse::Exposed : FirstUse::None;
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->getOpcode() == BO_Assign) {
      FirstUse Right = firstUse(B->getRHS(), V);
      const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
      if (D && D->getDecl() == V && !V->getType()->isReferenceType())
        return then(Right, FirstUse::Killed);
      return then(Right, firstUse(B->getLHS(), V));
    }
    if (B->isLogicalOp())
      return then(firstUse(B->getLHS(), V), maybe(firstUse(B->getRHS(), V)));
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(S))
    return then(firstUse(C->getCond(), V),
                either(firstUse(C->getTrueExpr(), V),
                       firstUse(C->getFalseExpr(), V)));
  if (const auto *I = dyn_cast<IfStmt>(S))
    return then(inSequence({I->getInit(), I->getConditionVariableDeclStmt(),
                            I->getCond()},
                           V),
                either(firstUse(I->getThen(), V), firstUse(I->getElse(), V)));
  if (const auto *F = dyn_cast<ForStmt>(S))
    return then(inSequence({F->getInit(), F->getConditionVariableDeclStmt(),
                            F->getCond()},
                           V),
                maybe(inSequence({F->getBody(), F->getInc()}, V)));
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return then(firstUse(W->getCond(), V), maybe(firstUse(W->getBody(), V)));
  if (const auto *W = dyn_cast<SwitchStmt>(S))
    return then(firstUse(W->getCond(), V), maybe(firstUse(W->getBody(), V)));
  if (const auto *L = dyn_cast<LambdaExpr>(S)) {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCapturedVar() == V)
        return FirstUse::Exposed;
    return FirstUse::None;
  }
  // Jumps may leave a kill out.
  if (isa<BreakStmt, ContinueStmt, GotoStmt, ReturnStmt>(S))
    return FirstUse::None;
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    FirstUse All = FirstUse::None;
    for (const Decl *X : D->decls())
      if (const auto *Y = dyn_cast<VarDecl>(X))
        All = then(All, firstUse(Y->getInit(), V));
    return All;
  }
  llvm::SmallVector<const Stmt *, 8> Children(S->child_begin(), S->child_end());
  return inSequence(Children, V);
}

} // namespace kpipe
