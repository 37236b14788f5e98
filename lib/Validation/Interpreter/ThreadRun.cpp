// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements by their kind, see ThreadRun.h.

#include "ThreadRun.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is there a statement that goes elsewhere?
struct Leaves : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  bool VisitReturnStmt(const ReturnStmt *) override { return !(Found = true); }
  bool VisitBreakStmt(const BreakStmt *) override { return !(Found = true); }
  bool VisitContinueStmt(const ContinueStmt *) override {
    return !(Found = true);
  }
  bool VisitGotoStmt(const GotoStmt *) override { return !(Found = true); }
};

} // namespace

bool ThreadRun::run(const Stmt *S, Stored To) {
  Report = &To;
  Flow F = statement(S);
  Report = nullptr;
  Returns = F == Flow::Return && !Invalid && !spent();
  return F == Flow::Next && !Invalid && !spent();
}

std::optional<bool> ThreadRun::condition(const Expr *E, Stored To) {
  Report = &To;
  RunValue V = value(E);
  Report = nullptr;
  if (!V.isNumber())
    return std::nullopt;
  return V.Number != 0;
}

ThreadRun::Flow ThreadRun::statement(const Stmt *S) {
  if (!S)
    return Flow::Next;
  if (!tick())
    return Flow::Stuck;
  switch (S->getStmtClass()) {
  case Stmt::NullStmtClass:
    return Flow::Next;
  case Stmt::CompoundStmtClass:
    for (const Stmt *X : cast<CompoundStmt>(S)->body())
      if (Flow F = statement(X); F != Flow::Next)
        return F;
    return Flow::Next;
  case Stmt::AttributedStmtClass:
    return statement(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        declare(V);
    return Invalid ? Flow::Stuck : Flow::Next;
  case Stmt::BreakStmtClass:
    return Flow::Break;
  case Stmt::ContinueStmtClass:
    return Flow::Continue;
  case Stmt::ReturnStmtClass: {
    const Expr *E = cast<ReturnStmt>(S)->getRetValue();
    Returned = !E ? RunValue() : E->isGLValue() ? place(E) : value(E);
    return Flow::Return;
  }
  case Stmt::IfStmtClass:
    return branch(cast<IfStmt>(S));
  case Stmt::ForStmtClass: {
    const auto *F = cast<ForStmt>(S);
    if (F->getConditionVariable())
      break;
    if (Flow First = statement(F->getInit()); First != Flow::Next)
      return First;
    return loop(S, F->getCond(), F->getInc(), F->getBody(), true);
  }
  case Stmt::WhileStmtClass: {
    const auto *W = cast<WhileStmt>(S);
    if (W->getConditionVariable())
      break;
    return loop(S, W->getCond(), nullptr, W->getBody(), true);
  }
  case Stmt::DoStmtClass:
    return loop(S, cast<DoStmt>(S)->getCond(), nullptr,
                cast<DoStmt>(S)->getBody(), false);
  default:
    if (const auto *E = dyn_cast<Expr>(S)) {
      evaluate(E);
      return Invalid ? Flow::Stuck : Flow::Next;
    }
    break;
  }
  return skip(S);
}

ThreadRun::Flow ThreadRun::branch(const IfStmt *I) {
  if (I->isConsteval())
    return statement(I->isNegatedConsteval() ? I->getThen() : I->getElse());
  if (Flow F = statement(I->getInit()); F != Flow::Next)
    return F;
  if (Flow F = statement(I->getConditionVariableDeclStmt()); F != Flow::Next)
    return F;
  RunValue C = value(I->getCond());
  if (Invalid)
    return Flow::Stuck;
  if (C.isNumber())
    return statement(C.Number ? I->getThen() : I->getElse());
  return skip(I);
}

/// S may run, and may be left.
ThreadRun::Flow ThreadRun::skip(const Stmt *S) {
  Leaves Away;
  Away.TraverseStmt(S);
  forget(S);
  missed(S);
  return Away.Found || Invalid ? Flow::Stuck : Flow::Next;
}

ThreadRun::Flow ThreadRun::loop(const Stmt *Whole, const Expr *Cond,
                                const Expr *Inc, const Stmt *Body,
                                bool TestFirst) {
  for (bool Test = TestFirst;; Test = true) {
    if (Test && Cond) {
      RunValue C = value(Cond);
      if (!C.isNumber())
        return skip(Whole);
      if (!C.Number)
        return Flow::Next;
    }
    Flow F = statement(Body);
    if (F == Flow::Break)
      return Flow::Next;
    if (F == Flow::Return || F == Flow::Stuck)
      return F;
    if (Inc)
      value(Inc);
    if (!tick())
      return Flow::Stuck;
  }
}

void ThreadRun::declare(const VarDecl *V) {
  if (!V->hasLocalStorage())
    return;
  // The variable of the last turn is another one.
  set(V, V->getInit() ? initialValue(V) : RunValue());
}

} // namespace kpipe
