// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks from a loop over the control-flow graph of its function, see
// Surroundings.h, and from its call over that of each caller: whatever leads
// from one to the other, be it jumps, conditions, arguments or the ends of
// scopes, is an edge or an element there. Where there is no graph, everything
// runs before and behind the loop.

#include "Surroundings.h"
#include "Validation/Trees/CodeNodes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxCallers = 6; ///< one above the other
constexpr unsigned MaxCalls = 64;  ///< of one function

/// Everything that a graph may have as an element for S.
void collect(const Stmt *S, StmtSet &To) {
  if (!S || !To.insert(S).second)
    return;
  for (const Stmt *Child : S->children())
    collect(Child, To);
  if (const auto *L = dyn_cast<InitListExpr>(S)) {
    collect(L->getSemanticForm(), To);
    collect(L->getSyntacticForm(), To);
  } else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S)) {
    collect(D->getExpr(), To);
  } else if (const auto *O = dyn_cast<OpaqueValueExpr>(S)) {
    collect(O->getSourceExpr(), To);
  }
}

/// The loop, or the call that leads to it, within the graph of a function.
class Flow {
public:
  Flow(const CFG &G, const CallFrame &In, const Stmt *Inner, bool IsLoop)
      : G(G), In(In) {
    if (IsLoop) {
      collect(Inner, Within);
      // What comes first is in front of the loop.
      if (const auto *F = dyn_cast<ForStmt>(Inner)) {
        StmtSet Init;
        collect(F->getInit(), Init);
        for (const Stmt *S : Init)
          Within.erase(S);
      }
    } else {
      Within.insert(Inner);
    }
    for (const auto &[Made, From] : G.synthetic_stmts())
      if (Within.count(From))
        Within.insert(Made);
  }

  /// What a walk from the loop in one direction meets.
  struct Met {
    llvm::SmallVector<Access, 16> All; ///< before any barrier
    bool End = false;                  ///< the function's end, or its start
    bool Inner = false, InnerAtOnce = false; ///< the loop, or the call, again
    bool Found = false;                      ///< there is such a loop or call
  };
  Met walk(bool Forward) {
    Met M;
    std::set<Place> Starts;
    for (const CFGBlock *B : G)
      starts(B, Forward, Starts, M.Found);
    go(Starts, Forward, true, M);
    go(Starts, Forward, false, M);
    return M;
  }

private:
  /// A block, and how many of its elements the walk has behind it.
  using Place = std::pair<const CFGBlock *, unsigned>;
  const CFG &G;
  const CallFrame &In;
  StmtSet Within;
  std::map<Place, Accesses> Steps;

  CFGElement element(const CFGBlock *B, unsigned I, bool Forward) const {
    return (*B)[Forward ? I : B->size() - 1 - I];
  }
  bool inside(const CFGElement &E) const {
    if (auto S = E.getAs<CFGStmt>())
      return Within.count(S->getStmt());
    if (auto D = E.getAs<CFGAutomaticObjDtor>())
      return Within.count(D->getTriggerStmt());
    if (auto D = E.getAs<CFGTemporaryDtor>())
      return Within.count(D->getBindTemporaryExpr());
    return false;
  }
  /// A block without elements: a jump, or the way back of a loop.
  bool emptyInside(const CFGBlock *B) const {
    return B->empty() && (Within.count(B->getTerminatorStmt()) ||
                          Within.count(B->getLoopTarget()));
  }
  bool beginsInside(const CFGBlock *B, bool Forward) const {
    return B->empty() ? emptyInside(B) : inside(element(B, 0, Forward));
  }
  llvm::SmallVector<const CFGBlock *, 4> next(const CFGBlock *B,
                                              bool Forward) const {
    llvm::SmallVector<const CFGBlock *, 4> Found;
    auto Add = [&](const CFGBlock::AdjacentBlock &N) {
      if (const CFGBlock *Next = N.getReachableBlock())
        Found.push_back(Next);
    };
    if (Forward)
      llvm::for_each(B->succs(), Add);
    else
      llvm::for_each(B->preds(), Add);
    return Found;
  }

  void starts(const CFGBlock *B, bool Forward, std::set<Place> &To,
              bool &Found) const {
    bool Last = emptyInside(B);
    for (unsigned I = 0; I != B->size(); ++I) {
      bool Now = inside(element(B, I, Forward));
      if (Last && !Now)
        To.insert({B, I});
      Last = Now;
    }
    Found |= Last;
    if (!Last)
      for (const CFGElement &E : *B)
        Found |= inside(E);
    if (Last)
      for (const CFGBlock *N : next(B, Forward))
        if (!beginsInside(N, Forward))
          To.insert({N, 0});
  }

  const Accesses &step(const CFGBlock *B, unsigned I, bool Forward) {
    Place At{B, Forward ? I : B->size() - 1 - I};
    auto It = Steps.find(At);
    if (It == Steps.end())
      It = Steps.emplace(At, accessesOf((*B)[At.second], In)).first;
    return It->second;
  }

  void go(const std::set<Place> &Starts, bool Forward, bool AtOnce, Met &M) {
    llvm::SmallVector<Place, 16> Work(Starts.begin(), Starts.end());
    std::set<Place> Seen, Taken;
    const CFGBlock *Goal = Forward ? &G.getExit() : &G.getEntry();
    while (!Work.empty()) {
      auto [B, I] = Work.pop_back_val();
      if (!Seen.insert({B, I}).second)
        continue;
      bool Stopped = emptyInside(B);
      if (Stopped)
        (AtOnce ? M.InnerAtOnce : M.Inner) = true;
      for (; I != B->size() && !Stopped; ++I) {
        Stopped = inside(element(B, I, Forward));
        if (Stopped)
          (AtOnce ? M.InnerAtOnce : M.Inner) = true;
        // A call that is met again is met with all that it does first.
        if (!AtOnce || (Stopped && Within.size() > 1))
          continue;
        const Accesses &Step = step(B, I, Forward);
        if (Taken.insert({B, I}).second)
          for (const Access &A : Step.All)
            if (Forward ? A.FromStart : A.ToEnd)
              M.All.push_back(A);
        Stopped |= !Step.Through;
      }
      if (Stopped)
        continue;
      if (AtOnce)
        M.End |= B == Goal;
      for (const CFGBlock *N : next(B, Forward))
        Work.push_back({N, 0});
    }
  }
};

class SurroundingsWalk {
public:
  explicit SurroundingsWalk(Surroundings &Out) : Out(Out) {}

  /// \param Inner the loop, or the call that leads to it.
  void run(const Stmt *Inner, const CallFrame &In, unsigned Level) {
    std::unique_ptr<CFG> G = graphOf(In.Function->getBody(), In, true);
    if (!G)
      return everything(In, Level);
    Flow F(*G, In, Inner, Level == 0);
    Flow::Met Front = F.walk(false), Back = F.walk(true);
    if (!Front.Found || !Back.Found)
      return everything(In, Level);
    take(Front.All, Out.Before, Level);
    take(Back.All, Out.After, Level);
    // A call that is met again has brought its accesses along.
    Out.Again |= Back.Inner;
    Out.AgainAtOnce |= Back.InnerAtOnce && Level == 0;
    if (!In.Function->hasAttr<CUDAGlobalAttr>())
      callers(In, Front.End, Back.End, Level);
  }

private:
  Surroundings &Out;

  static void take(llvm::ArrayRef<Access> From,
                   llvm::SmallVectorImpl<Access> &To, unsigned Level) {
    for (Access A : From) {
      A.Outside = Level != 0;
      To.push_back(A);
    }
  }

  void callers(const CallFrame &In, bool Front, bool Back, unsigned Level) {
    if (!Front && !Back)
      return void(Out.Again = true);
    llvm::ArrayRef<CodeIndex::Call> Calls = In.Index->callsOf(In.Function);
    if (Calls.empty() || Calls.size() > MaxCalls ||
        In.Index->hidden(In.Function) || Level == MaxCallers)
      return anything(Front, Back);
    if (Calls.size() > 1)
      Out.Again = true;
    for (const CodeIndex::Call &C : Calls) {
      if (!C.In || !C.In->getBody()) {
        anything(Front, Back);
        continue;
      }
      CallFrame Outer;
      Outer.Function = C.In;
      Outer.Index = In.Index;
      Surroundings There;
      SurroundingsWalk(There).run(C.At, Outer, Level + 1);
      Out.Again |= There.Again;
      Out.AgainAtOnce |= There.AgainAtOnce && Front && Back;
      if (Front)
        Out.Before.append(There.Before);
      if (Back)
        Out.After.append(There.After);
    }
  }

  void anything(bool Front, bool Back) {
    Out.Again = true;
    Access A;
    A.Outside = true;
    for (bool Write : {false, true}) {
      A.Write = Write;
      if (Front)
        Out.Before.push_back(A);
      if (Back)
        Out.After.push_back(A);
    }
    Out.AgainAtOnce |= Front && Back;
  }

  /// All of the function runs before and behind the loop.
  void everything(const CallFrame &In, unsigned Level) {
    Out.Again = Out.AgainAtOnce = true;
    Accesses A = accessesOf(In.Function->getBody(), In);
    take(A.All, Out.Before, Level);
    take(A.All, Out.After, Level);
    if (!In.Function->hasAttr<CUDAGlobalAttr>())
      callers(In, true, true, Level);
  }
};

} // namespace

Surroundings surroundingsOf(const Stmt *Loop, const CallFrame &In) {
  Surroundings Out;
  SurroundingsWalk(Out).run(Loop, In, 0);
  return Out;
}

} // namespace kpipe
