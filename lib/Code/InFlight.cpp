// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist until nothing changes, see InFlight.h.
#include "InFlight.h"
#include <algorithm>
#include <deque>

using namespace clang;

namespace kpipe {

bool Started::join(const Started &O) {
  const Started Old = *this;
  Copies |= O.Copies;
  Groups = std::max(Groups, O.Groups);
  Arrived |= O.Arrived;
  Unknown |= O.Unknown;
  return Old.Copies != Copies || Old.Groups != Groups ||
         Old.Arrived != Arrived || Old.Unknown != Unknown;
}

/// One operation. A wait that is in doubt waits for nothing.
static void apply(const AsyncOp &Op, Started &S) {
  switch (Op.Kind) {
  case AsyncKind::Copy:
    S.Copies = true;
    S.Arrived = false;
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
    S.Arrived = true;
    break;
  case AsyncKind::WaitForToken:
    S.Copies &= !S.Arrived;
    S.Arrived = false;
    break;
  case AsyncKind::WaitAll:
  case AsyncKind::GroupWait:
  case AsyncKind::ArriveAndWait:
    S = Started{false, 0, false, S.Unknown};
    break;
  case AsyncKind::Acquire:
  case AsyncKind::Release:
    break;
  case AsyncKind::Other:
    S.Unknown = true;
    break;
  }
}

InFlight::InFlight(const FunctionDecl *Body, const AsyncOps &Ops,
                   ASTContext &Context) {
  for (const AsyncOp &Op : Ops.All)
    At[Op.At].push_back(&Op);
  Graph = CFG::buildCFG(Body, Body->getBody(), &Context, CFG::BuildOptions());
  if (!Graph)
    return;
  std::deque<const CFGBlock *> Work{&Graph->getEntry()};
  Before[&Graph->getEntry()];
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

InFlight::State InFlight::behind(const CFGBlock *B) const {
  State S = Before.lookup(B);
  for (const CFGElement &E : *B)
    if (auto Statement = E.getAs<CFGStmt>())
      if (auto Found = At.find(Statement->getStmt()); Found != At.end())
        for (const AsyncOp *Op : Found->second)
          apply(*Op, S[Op->Object]);
  return S;
}

bool InFlight::isCleanAt(const Stmt *Loop) const {
  if (!Graph || isa<DoStmt>(Loop))
    return false;
  bool Asked = false;
  for (const CFGBlock *B : *Graph) {
    if (!B || B->getTerminatorStmt() != Loop)
      continue;
    auto Found = Before.find(B);
    if (Found == Before.end())
      continue; // never reached
    Asked = true;
    for (const auto &[Object, S] : Found->second)
      if (!S.clean())
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
            Most = std::max({Most, S.Groups, unsigned(S.Copies)});
  return Most;
}

} // namespace kpipe
