// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first condition and the last statement, see ClosingLoop.h.

#include "ClosingLoop.h"
#include "Code/Values.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

bool endsWithBarrier(const Stmt *S, const Scope &In) {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *Body = F ? dyn_cast<CompoundStmt>(F->getBody()) : nullptr;
  const auto *D = F ? dyn_cast_or_null<DeclStmt>(F->getInit()) : nullptr;
  if (!Body || Body->body_empty() || !F->getCond() || !D || !D->isSingleDecl())
    return false;
  const auto *Index = dyn_cast<VarDecl>(D->getSingleDecl());
  if (!Index || !Index->getInit())
    return false;
  Values Known(In.context());
  auto First = Known.evaluate(Index->getInit());
  if (!First)
    return false;
  Known.bind(Index, First);
  if (Known.evaluate(F->getCond()).value_or(0) == 0)
    return false;
  // Behind the last barrier the condition is asked once more.
  if (effectsOf(F->getCond(), In).readsShared() ||
      (F->getInc() && effectsOf(F->getInc(), In).readsShared()))
    return false;
  // Nothing leaves the body midway.
  struct Leaves : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitBreakStmt(const BreakStmt *) override { return !(Found = true); }
    bool VisitContinueStmt(const ContinueStmt *) override {
      return !(Found = true);
    }
    bool VisitReturnStmt(const ReturnStmt *) override {
      return !(Found = true);
    }
    bool VisitGotoStmt(const GotoStmt *) override { return !(Found = true); }
    bool VisitIndirectGotoStmt(const IndirectGotoStmt *) override {
      return !(Found = true);
    }
  } Away;
  Away.TraverseStmt(Body);
  return !Away.Found && effectsOf(Body->body_back(), In).isOnlyBlockBarrier();
}

} // namespace kpipe
