// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule may-alias: no store of the loop touches what the load reads.

#include "AliasFixes.h"
#include "Apart.h"
#include "Code/Jumps.h"
#include "Code/Variance.h"
#include "Queries.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

/// What stands before the barrier for the compute, and so moves behind it.
Effects movedBehind(const LoopFacts &F) {
  llvm::SmallVector<const Effects *, 16> Parts;
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    if (F.Tile.Body[I].S == F.Tile.LoadBarrier)
      break;
    if (!F.Tile.Body[I].Barrier && F.Tile.Body[I].InCompute)
      Parts.push_back(&F.Items[I]);
  }
  return inSequence(Parts);
}

/// One more that the load reads and the store may change, before the cure,
/// which is then about both.
void addRead(Obstacle &Found, const LoopFacts &F, const MemoryAccess &W,
             const MemoryAccess &R, bool Pointers) {
  for (Fix &More : aliasFixes(F, W.Root, R.Root, Pointers))
    if (!More.What.is(msg::fix_promise))
      Found.Notes.back().Fixes.push_back(std::move(More));
  Found.Notes.insert(std::prev(Found.Notes.end()),
                     {placeOf(R, F), {msg::load_reads_too, named(R.Root)}});
}

/// Does no condition keep an access from being made in one iteration alone?
bool isInEach(const MemoryAccess &A, const LoopFacts &F) {
  const auto All = conditionsOf(A.At, bodyOf(F.Tile.Loop), nullptr);
  return All && llvm::none_of(*All, [&](const Expr *E) {
           return varies(E, F.Variant, *F.In);
         });
}

/// Does each iteration load the very element that the one before stored? Then
/// nobody can promise that none does.
bool isLoadedNext(const MemoryAccess &W, const MemoryAccess &R,
                  const LoopFacts &F) {
  if (!W.At || !R.At)
    return false;
  const Expr *Stored = W.At->IgnoreParenImpCasts(),
             *Loaded = R.At->IgnoreParenImpCasts();
  if (!isa<ArraySubscriptExpr, UnaryOperator>(Stored) ||
      placeVaries(Stored, F.Variant, *F.In) || !isInEach(W, F) ||
      !isInEach(R, F))
    return false;
  llvm::FoldingSetNodeID One, Other;
  Stored->Profile(One, F.In->context(), /*Canonical=*/true);
  Loaded->Profile(Other, F.In->context(), /*Canonical=*/true);
  return One == Other;
}

} // namespace

void mayAlias(const LoopFacts &F, const Directives &Asked, Findings &Out) {
  Effects Load = Asked.AssumeNoAlias ? movedBehind(F) : beforeBarrier(F);
  Apart disjoint(F);
  llvm::SmallVector<std::pair<const VarDecl *, const VarDecl *>, 4> Reported;
  std::map<std::pair<const VarDecl *, bool>, size_t> Stored; ///< in Out
  for (const MemoryAccess &W : F.Body.Memory) {
    if (!(W.Write || W.Atomic) || !mayBeGlobal(W))
      continue;
    for (const MemoryAccess &R : Load.Memory) {
      if (R.Write || R.Atomic || R.ReadOnly || !mayBeGlobal(R) ||
          disjoint(W.Root, R.Root))
        continue;
      auto Pair = std::make_pair(W.Root.Var, R.Root.Var);
      if (llvm::is_contained(Reported, Pair))
        continue;
      Reported.push_back(Pair);
      bool Same = W.Root.Var && W.Root.Var == R.Root.Var;
      bool Pointers = W.Root.Var && R.Root.Var && !W.Root.Indirect &&
                      !R.Root.Indirect && !Same;
      if (!Same && !Asked.AssumeNoAlias) {
        auto [It, New] = Stored.try_emplace({W.Root.Var, Pointers}, Out.size());
        if (!New) {
          addRead(Out[It->second], F, W, R, Pointers);
          continue;
        }
      }
      Obstacle Found{RuleId::MayAlias, placeOf(W, F), {}, {}};
      Found.Why = Same ? Message(msg::stored_and_loaded, named(W.Root))
                       : Message(msg::stored_and_may_alias, named(W.Root),
                                 named(R.Root));
      if (Asked.AssumeNoAlias) {
        Found.Notes.push_back(
            {placeOf(R, F), msg::promise_is_about_iterations});
        Out.push_back(std::move(Found));
        continue;
      }
      Found.Notes.push_back({placeOf(R, F), msg::load_reads_it_here});
      if (Same && isLoadedNext(W, R, F)) {
        Found.Why = {msg::stored_for_next, named(W.Root)};
        Out.push_back(std::move(Found));
        continue;
      }
      Found.Notes.push_back(
          {placeOf(W, F),
           Pointers ? msg::restrict_or_promise : msg::promise_no_alias,
           aliasFixes(F, W.Root, R.Root, Pointers)});
      Out.push_back(std::move(Found));
    }
  }
  if (Asked.AssumeNoAlias)
    return;
  // A call that cannot be looked into may store anywhere.
  const MemoryAccess *R = llvm::find_if(Load.Memory, [](auto &A) {
    return !A.Write && !A.ReadOnly && mayBeGlobal(A);
  });
  if (R == Load.Memory.end())
    return;
  for (const Event &E : F.Compute.Events)
    if (E.Kind == EventKind::UnknownCall) {
      Obstacle Found{RuleId::MayAlias,
                     startOf(E.At),
                     {msg::callee_may_store, E.Callee, named(R->Root)},
                     {}};
      Found.Notes.push_back({placeOf(*R, F), msg::load_reads_it_here});
      addCure(Found, E);
      Out.push_back(std::move(Found));
    }
}

} // namespace kpipe
