// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first condition and the last statement, see ClosingLoop.h.

#include "ClosingLoop.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Values.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

namespace {

/// What leaves a body midway.
struct Leaves : ConstDynamicRecursiveASTVisitor {
  const Stmt *Found = nullptr;
  bool at(const Stmt *S) {
    Found = S;
    return false;
  }
  bool VisitBreakStmt(const BreakStmt *S) override { return at(S); }
  bool VisitContinueStmt(const ContinueStmt *S) override { return at(S); }
  bool VisitReturnStmt(const ReturnStmt *S) override { return at(S); }
  bool VisitGotoStmt(const GotoStmt *S) override { return at(S); }
  bool VisitIndirectGotoStmt(const IndirectGotoStmt *S) override {
    return at(S);
  }
};

bool runs(const ForStmt &F, const Scope &In) {
  const auto *D = dyn_cast_or_null<DeclStmt>(F.getInit());
  if (!F.getCond() || !D || !D->isSingleDecl())
    return false;
  const auto *Index = dyn_cast<VarDecl>(D->getSingleDecl());
  if (!Index || !Index->getInit())
    return false;
  Values Known(In.context());
  auto First = Known.evaluate(Index->getInit());
  if (!First)
    return false;
  Known.bind(Index, First);
  return Known.evaluate(F.getCond()).value_or(0) != 0;
}

const Stmt *plain(const Stmt *S) {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  return S;
}

/// The last statement of a loop's body is a barrier.
bool hasBarrierAtEnd(const Stmt *Body, const Scope &In) {
  const auto *C = dyn_cast<CompoundStmt>(Body);
  return C && !C->body_empty() &&
         effectsOf(C->body_back(), In).isOnlyBlockBarrier();
}

bool readsShared(const Expr *E, const Scope &In) {
  return E && effectsOf(E, In).readsShared();
}

} // namespace

bool endsWithBarrier(const Stmt *S, const Scope &In) {
  S = plain(S);
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *D = dyn_cast<DoStmt>(S);
  return (F || D) && hasBarrierAtEnd(F ? F->getBody() : D->getBody(), In) &&
         !whyNotClosing(S, In);
}

std::optional<Obstacle::Remark> whyNotClosing(const Stmt *S, const Scope &In) {
  S = plain(S);
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *W = dyn_cast<WhileStmt>(S);
  const auto *D = dyn_cast<DoStmt>(S);
  if (!F && !W && !D)
    return std::nullopt;
  const Stmt *Body = F ? F->getBody() : W ? W->getBody() : D->getBody();
  if (!hasBarrierAtEnd(Body, In))
    return std::nullopt;
  // Behind the last barrier the condition is asked once more.
  for (const Expr *E : {F   ? F->getCond()
                        : W ? W->getCond()
                            : D->getCond(),
                        F ? F->getInc() : nullptr})
    if (readsShared(E, In))
      return Obstacle::Remark{startOf(E), msg::closing_loop_reads_shared};
  Leaves Away;
  Away.TraverseStmt(Body);
  if (Away.Found)
    return Obstacle::Remark{startOf(Away.Found), msg::closing_loop_is_left};
  if (!D && !(F && runs(*F, In)))
    return Obstacle::Remark{startOf(S), msg::closing_loop_may_not_run};
  return std::nullopt;
}

static std::optional<Obstacle::Remark> barrierInStatement(const Stmt *S,
                                                          const Effects &E) {
  // A barrier under a condition alone is another rule's matter.
  if (isLoop(plain(S)) || (isa<IfStmt>(S) && E.isOnlyBlockBarrier()))
    return std::nullopt;
  for (const Event &Of : E.Events)
    if (Of.Kind == EventKind::ValueBarrier)
      return Obstacle::Remark{startOf(S), {msg::barrier_gives_value, Of.Name}};
    else if (Of.Kind == EventKind::BlockBarrier)
      return Obstacle::Remark{startOf(S), msg::barrier_in_statement};
  return std::nullopt;
}

std::optional<Obstacle::Remark> barrierOfTurn(LoopFacts &Facts, size_t Last,
                                              const VarSet &Tiles) {
  auto at = [&](size_t I) {
    Facts.NearlyEnd = Facts.Tile.Body[I].S;
    return barrierInStatement(Facts.NearlyEnd, Facts.Items[I]);
  };
  auto stores = [&](size_t I) {
    return llvm::any_of(Facts.Items[I].Memory, [&](const MemoryAccess &A) {
      return A.Write && Tiles.count(A.Root.Var);
    });
  };
  std::optional<Obstacle::Remark> Found;
  for (size_t I = Last; !Found && I != Facts.Items.size(); ++I)
    Found = at(I);
  for (size_t I = 0; !Found && I != Last && !stores(I); ++I)
    Found = at(I);
  if (!Found)
    Facts.NearlyEnd = nullptr;
  return Found;
}

} // namespace kpipe
