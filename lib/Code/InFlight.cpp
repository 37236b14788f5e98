// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist until nothing changes, see InFlight.h.
#include "InFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>
#include <deque>

using namespace clang;

namespace kpipe {

bool Started::join(const Started &O) {
  const Started Old = *this;
  Copies |= O.Copies;
  Groups = std::max(Groups, O.Groups);
  Counted |= O.Counted;
  Unknown |= O.Unknown;
  return Old.Copies != Copies || Old.Groups != Groups ||
         Old.Counted != Counted || Old.Unknown != Unknown;
}

/// A function that does more than copy and wait, such as a barrier of the
/// block, where that is done by the thread's own count and known to be: what it
/// leaves in flight can be told. Else null.
static const FunctionDecl *followed(const AsyncOp &Op, AsyncCode &Code) {
  const auto *C = dyn_cast<CallExpr>(Op.At);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
  if (Op.Kind != AsyncKind::Other || Op.Object || !F || isa<CXXMethodDecl>(F) ||
      !F->hasBody(Body))
    return nullptr;
  const AsyncOps *Inside = Code.of(Body);
  const bool Known =
      Inside && !Inside->All.empty() &&
      llvm::all_of(Inside->All, [](const AsyncOp &In) {
        return !In.Object && !In.Group &&
               (In.Kind == AsyncKind::Copy || In.Kind == AsyncKind::Commit ||
                In.Kind == AsyncKind::Wait || In.Kind == AsyncKind::WaitAll);
      });
  return Known ? Body : nullptr;
}

/// One operation. A wait that is in doubt waits for nothing.
void InFlight::apply(const AsyncOp &Op, Started &S) const {
  switch (Op.Kind) {
  case AsyncKind::Copy:
    S.Copies = true;
    break;
  case AsyncKind::Commit:
    S.Copies = false;
    S.Groups = std::min(2u, S.Groups + 1);
    break;
  case AsyncKind::Wait:
    S.Groups = std::min(S.Groups, Op.Keep);
    break;
  case AsyncKind::WaitOldest: // of more, one is left
    S.Groups = S.Groups == 2 ? 2 : 0;
    break;
  case AsyncKind::Arrive:
    S.Counted |= S.Copies;
    S.Copies = false;
    break;
  case AsyncKind::WaitForToken:
  case AsyncKind::WaitForParity:
    S.Counted = false;
    break;
  case AsyncKind::WaitAll:
  case AsyncKind::GroupWait:
  case AsyncKind::ArriveAndWait:
    S = Started{false, 0, false, S.Unknown};
    break;
  case AsyncKind::Acquire:
  case AsyncKind::Release:
  case AsyncKind::Quit:
  case AsyncKind::ArriveOn:
  case AsyncKind::ArriveBehind:
    break;
  case AsyncKind::InHelper:
    helper(Op.Helper, S);
    break;
  case AsyncKind::Other:
    if (const FunctionDecl *Body = followed(Op, Code))
      helper(Body, S);
    else
      S.Unknown = true;
    break;
  case AsyncKind::Unseen:
    S.Unknown = true;
    break;
  }
}

/// What a thread has on its way a barrier's next phase waits for, from where it
/// is told on; a token of before does not.
void InFlight::apply(const AsyncOp &Op, State &All) const {
  const bool Arrives = Op.Kind == AsyncKind::ArriveBehind;
  if (Op.Kind != AsyncKind::ArriveOn && !Arrives)
    return apply(Op, All[Op.counter()]);
  Started &Own = All[{}], &Barrier = All[Op.counter()];
  Barrier.Copies |= Own.Copies || Own.Groups;
  Own.Copies = false;
  Own.Groups = 0;
  if (!Arrives)
    return;
  Barrier.Counted |= Barrier.Copies;
  Barrier.Copies = false;
}

/// What is in flight behind a call, of what was before it.
void InFlight::helper(const FunctionDecl *Body, Started &S) const {
  const AsyncOps *Inside = Depth == 4 ? nullptr : Code.of(Body);
  if (!Inside) {
    S.Unknown = true;
    return;
  }
  InFlight Callee(Body, *Inside, Code, Depth + 1, S);
  const State AtEnd =
      Callee.Graph ? Callee.Before.lookup(&Callee.Graph->getExit()) : State();
  auto Own = AtEnd.find({});
  if (Own == AtEnd.end())
    S.Unknown = true; // never comes back
  else
    S = Own->second;
}

/// A call of a function that copies, waits for it and leaves nothing behind.
static bool leavesNothing(const AsyncOp &Op, AsyncCode &Code, unsigned Depth) {
  const auto *C = dyn_cast<CallExpr>(Op.At);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  const FunctionDecl *Body = nullptr;
  if (Op.Kind != AsyncKind::Other || Op.Object || !F || Depth == 4 ||
      !F->hasBody(Body))
    return false;
  const AsyncOps *Inside = Code.of(Body);
  return Inside && !Inside->All.empty() &&
         InFlight(Body, *Inside, Code, Depth + 1).isCleanAtEnd();
}

InFlight::InFlight(const FunctionDecl *Body, const AsyncOps &Ops,
                   AsyncCode &Code, unsigned Depth, const Started &Entry)
    : Code(Code), Depth(Depth) {
  Graph =
      CFG::buildCFG(Body, Body->getBody(), &Code.Context, CFG::BuildOptions());
  if (!Graph)
    return;
  llvm::SmallPtrSet<const Stmt *, 32> Steps;
  for (const CFGBlock *B : *Graph)
    for (const CFGElement &E : *B)
      if (auto Statement = E.getAs<CFGStmt>())
        Steps.insert(Statement->getStmt());
  // The graph has no step for some expressions, such as default arguments.
  for (const AsyncOp &Op : Ops.All)
    if (followed(Op, Code) || !leavesNothing(Op, Code, Depth)) {
      const Stmt *Step = Op.At;
      while (isa_and_nonnull<Expr>(Step) && !Steps.count(Step))
        Step = Ops.parent(Step);
      At[Step ? Step : Op.At].push_back(&Op);
    }
  std::deque<const CFGBlock *> Work{&Graph->getEntry()};
  Before[&Graph->getEntry()][{}] = Entry;
  while (!Work.empty()) {
    const CFGBlock *B = Work.front();
    Work.pop_front();
    const State After = behind(B);
    for (const CFGBlock *Next : B->succs()) {
      if (!Next)
        continue;
      auto [Known, New] = Before.try_emplace(Next);
      if (join(Known->second, After) || New)
        Work.push_back(Next);
    }
  }
}

bool InFlight::join(State &Into, const State &From) {
  bool Changed = false;
  for (const auto &[Object, S] : From)
    Changed |= Into[Object].join(S);
  return Changed;
}

bool InFlight::isClean(const State &S) {
  return llvm::all_of(S, [](const auto &One) { return One.second.clean(); });
}

bool InFlight::isCleanAtEnd() const {
  return Graph && isClean(Before.lookup(&Graph->getExit()));
}

bool InFlight::isCleanBefore(const CallExpr *C) const {
  bool Found = false;
  if (Graph)
    for (const CFGBlock *B : *Graph)
      for (const CFGElement &E : *B)
        if (auto Statement = E.getAs<CFGStmt>();
            Statement && Statement->getStmt() == C) {
          if (Before.count(B) && !isClean(behind(B, C)))
            return false;
          Found = true;
        }
  return Found;
}

/// \param Until where to stop; null: the block's end.
InFlight::State InFlight::behind(const CFGBlock *B, const Stmt *Until) const {
  State S = Before.lookup(B);
  for (const CFGElement &E : *B)
    if (auto Statement = E.getAs<CFGStmt>()) {
      if (Until && Statement->getStmt() == Until)
        break;
      if (auto Found = At.find(Statement->getStmt()); Found != At.end())
        for (const AsyncOp *Op : Found->second)
          apply(*Op, S);
    }
  return S;
}

bool InFlight::isCleanAt(const Stmt *Loop) const {
  if (!Graph)
    return false;
  bool Asked = false;
  for (const CFGBlock *B : *Graph) {
    if (!B || B->getTerminatorStmt() != Loop)
      continue;
    // Where a do loop's condition holds, or it comes to it, its body begins.
    if (isa<DoStmt>(Loop))
      do
        B = *B->succ_begin();
      while (B && B->getLoopTarget());
    auto Found = B ? Before.find(B) : Before.end();
    if (Found == Before.end())
      continue; // never reached
    Asked = true;
    if (!isClean(Found->second))
      return false;
  }
  return Asked;
}

unsigned InFlight::leftByTurns(const Stmt *Loop) const {
  unsigned Most = 0;
  if (Graph)
    for (const CFGBlock *B : *Graph)
      if (B && B->getLoopTarget() == Loop && Before.count(B))
        for (const auto &[Object, S] : behind(B))
          if (!S.Unknown)
            Most = std::max({Most, S.Groups, unsigned(S.Copies || S.Counted)});
  return Most;
}

} // namespace kpipe
