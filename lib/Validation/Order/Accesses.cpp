// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code without a barrier is one bag of accesses; where it holds one, Clang's
// control-flow graph tells which accesses are reached before it and behind it,
// see Accesses.h.

#include "Accesses.h"
#include "AccessWalker.h"
#include "Validation/Trees/QuietLives.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

/// Code that holds a barrier, as a graph of its smallest steps.
class Graph {
public:
  Graph(const CFG &G, const CallFrame &In) : G(G) {
    Steps.resize(G.getNumBlockIDs());
    for (const CFGBlock *B : G)
      for (const CFGElement &E : *B)
        Steps[B->getBlockID()].push_back(accessesOf(E, In));
  }

  Accesses run() {
    Accesses Out;
    Out.HasBarrier = true;
    Out.Through = walk(true);
    walk(false);
    for (auto &Block : Steps)
      for (Accesses &Step : Block)
        for (unsigned I = 0; I != Step.All.size(); ++I) {
          Access A = Step.All[I];
          A.FromStart = A.FromStart && Reached[0].count(&Step);
          A.ToEnd = A.ToEnd && Reached[1].count(&Step);
          Out.All.push_back(A);
        }
    return Out;
  }

private:
  const CFG &G;
  std::vector<std::vector<Accesses>> Steps; ///< by block
  std::set<const Accesses *> Reached[2];

  /// Marks the steps that are reached from the one end without a barrier.
  /// True if the other end is.
  bool walk(bool Forward) {
    std::set<const CFGBlock *> Seen;
    llvm::SmallVector<const CFGBlock *, 16> Work{Forward ? &G.getEntry()
                                                         : &G.getExit()};
    const CFGBlock *Goal = Forward ? &G.getExit() : &G.getEntry();
    bool Through = false;
    while (!Work.empty()) {
      const CFGBlock *B = Work.pop_back_val();
      if (!B || !Seen.insert(B).second)
        continue;
      auto &Block = Steps[B->getBlockID()];
      bool Stopped = false;
      auto One = [&](Accesses &Step) {
        if (Stopped)
          return;
        Reached[!Forward].insert(&Step);
        Stopped = !Step.Through;
      };
      if (Forward)
        llvm::for_each(Block, One);
      else
        llvm::for_each(llvm::reverse(Block), One);
      if (Stopped)
        continue;
      Through |= B == Goal;
      if (Forward)
        for (const CFGBlock::AdjacentBlock &N : B->succs())
          Work.push_back(N.getReachableBlock());
      else
        for (const CFGBlock::AdjacentBlock &N : B->preds())
          Work.push_back(N.getReachableBlock());
    }
    return Through;
  }
};

/// Whether S holds a `case` of a switch around S; Clang's builder crashes on it.
bool isEnteredByCase(const Stmt *S) {
  if (!S || isa<SwitchStmt>(S))
    return false;
  return isa<SwitchCase>(S) || llvm::any_of(S->children(), isEnteredByCase);
}

} // namespace

std::unique_ptr<CFG> graphOf(const Stmt *S, const CallFrame &In, bool Whole) {
  if (!Whole && isEnteredByCase(S))
    return nullptr;
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddInitializers = true;
  Options.AddImplicitDtors = true;
  Options.AddTemporaryDtors = true;
  Options.AddCXXDefaultInitExprInAggregates = true;
  Options.AddCXXDefaultInitExprInCtors = true;
  return CFG::buildCFG(Whole ? In.Function : nullptr, const_cast<Stmt *>(S),
                       &In.Index->context(), Options);
}

Accesses accessesOf(const CFGElement &E, const CallFrame &In) {
  AccessWalker W(In, nullptr);
  if (auto S = E.getAs<CFGStmt>()) {
    W.node(S->getStmt());
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S->getStmt()))
      return accessesOf(D->getExpr(), In);
  } else if (E.getAs<CFGCleanupFunction>()) {
    W.destroy(nullptr);
  } else if (auto D = E.getAs<CFGImplicitDtor>()) {
    const CXXDestructorDecl *X = D->getDestructorDecl(In.Index->context());
    if (!X || !diesQuietly(X->getParent()))
      W.destroy(nullptr);
  }
  return std::move(W.Found);
}

Accesses accessesOf(const Stmt *S, const CallFrame &In) {
  AccessWalker Bag(In, nullptr);
  Bag.gather(S);
  if (Bag.Found.Through || !S)
    return std::move(Bag.Found);
  if (const auto *E = dyn_cast<Expr>(S)) {
    // A call with the barrier inside, or the barrier itself; not one of which
    // an argument has it, and perhaps on one way only.
    const auto *C = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
    const auto *K = dyn_cast<CXXConstructExpr>(E);
    auto Quiet = [&](const Stmt *Part) {
      AccessWalker Inner(In, nullptr);
      Inner.gather(Part);
      return !Inner.Found.HasBarrier;
    };
    if ((C && llvm::all_of(C->children(), Quiet)) ||
        (K && llvm::all_of(K->children(), Quiet)))
      return std::move(Bag.Found);
  }
  if (isa<GCCAsmStmt>(S))
    return std::move(Bag.Found);
  std::unique_ptr<CFG> G = graphOf(S, In);
  if (!G) {
    // A jump leaves the code or leads into it: whatever it does, no barrier is
    // counted on.
    Bag.Found.Through = true;
    for (Access &A : Bag.Found.All)
      A.FromStart = A.ToEnd = true;
    return std::move(Bag.Found);
  }
  return Graph(*G, In).run();
}

} // namespace kpipe
