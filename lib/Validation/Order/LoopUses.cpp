// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the statements of the body to uses, see LoopUses.h.

#include "LoopUses.h"
#include "Validation/Trees/ElementsFirst.h"
#include "Validation/Trees/FirstUse.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

LoopUses::LoopUses(const TileLoop &Loop, const PipelinePlan &Plan,
                   const CodeIndex &Index)
    : Loop(Loop), Plan(Plan), Index(Index), Ring(Plan.Buffers > 1),
      Apart(apartNames(Loop)) {
  In.Function = Loop.Function;
  In.Index = &Index;
  In.Apart = &Apart;
  const unsigned Header = Loop.Body.size();
  for (const BodyItem &I : Loop.Body)
    addItem(I);
  Items.emplace_back();
  const StoreHalf Half = storeHalfOf(Loop, Plan, In);
  for (unsigned I = 0; I != Header; ++I)
    // Of waits that went BulkMatcher asks whether they do nothing else.
    if (!Loop.Body[I].SharedDecl && !Loop.Body[I].Step && !Items[I].Barrier &&
        !Loop.Body[I].Replaced)
      collectItem(I, Half);
  auto Ahead = [&](const Stmt *S) {
    if (!S)
      return;
    for (const Access &A : accessesOf(S, In).All)
      Uses.push_back({A, Header, true, false, true, false});
  };
  Ahead(Loop.Cond);
  for (const HeaderVar &H : Loop.HeaderVars)
    Ahead(H.Update);
}

void LoopUses::addItem(const BodyItem &I) {
  UsedItem X;
  X.S = I.S;
  // Steps of while loops stand in the header of the output.
  X.InLoad = I.InLoad && !I.Barrier;
  X.InCompute = I.InCompute;
  X.Barrier = I.Barrier;
  CodeNodes N = nodesOf(I.S);
  X.Mentioned = N.Mentioned;
  Moved.insert(N.All.begin(), N.All.end());
  if (const auto *D = dyn_cast<DeclStmt>(I.S))
    for (const Decl *Y : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Y))
        OwnLocals.insert(V);
  OwnLocals.insert(N.Declared.begin(), N.Declared.end());
  Items.push_back(std::move(X));
}

void LoopUses::collectItem(unsigned I, const StoreHalf &Half) {
  Accesses All = accessesOf(Items[I].S, In);
  Items[I].Through = All.Through;
  if (Items[I].InLoad && All.HasBarrier && !All.All.empty() && !BarrierInLoad)
    BarrierInLoad = All.All.front();
  llvm::DenseMap<const Stmt *, Route> Stores;
  for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
    const TileCopy &Copy = Loop.Copies[C];
    Stores[Copy.Store] = Plan.Copies[C].Way;
    if (Copy.FillStore)
      Stores[Copy.FillStore] = Plan.Copies[C].Way;
  }
  for (const Access &A : All.All) {
    Use U{A, I, false, false, Items[I].InCompute, false};
    if (Items[I].InLoad) {
      auto Copy = Stores.find(A.At);
      bool IsCopy = A.Write && Copy != Stores.end();
      bool Async = IsCopy && Copy->second == Route::AsyncCopy;
      U.Load = !IsCopy || Async;
      U.Store = IsCopy ? !Async
                       : Half.Nodes.count(A.At) ||
                             (A.Outer != A.At && Half.Nodes.count(A.Outer));
      U.Lands = Async;
    }
    Uses.push_back(U);
  }
}

bool LoopUses::writtenFirst(const VarDecl *V) const {
  auto Part = [&](bool (*Member)(const UsedItem &)) {
    for (const UsedItem &I : Items)
      if (I.S && Member(I) && I.Mentioned.count(V)) {
        FirstUse U = firstUse(I.S, V);
        if (U != FirstUse::Covered)
          return U == FirstUse::Killed;
      }
    return true;
  };
  if (Index.namesOf(Loop.Function).Renamed.count(V) ||
      llvm::any_of(Uses, [&](const Use &U) {
        return U.Item == Loop.Body.size() && U.A.Where.Var == V;
      }))
    return false;
  auto Load = [](const UsedItem &I) { return I.InLoad; };
  auto Compute = [](const UsedItem &I) { return I.InCompute; };
  return (Part(Load) && Part(Compute)) || elementsFirst(V);
}

bool LoopUses::elementsFirst(const VarDecl *V) const {
  if (!isArrayOfLoop(V, Loop.Loop, Loop.Function, Index.context()))
    return false;
  for (bool UsedItem::*Region : {&UsedItem::InLoad, &UsedItem::InCompute}) {
    llvm::SmallVector<const Stmt *, 8> Parts;
    for (const UsedItem &I : Items)
      if (I.S && I.*Region)
        Parts.push_back(I.S);
    if (!elementsWrittenFirst(Parts, V, Index.context(),
                              [](const Stmt *) { return true; }))
      return false;
  }
  return true;
}

OrderViolation LoopUses::violation(const Access &A, const Access &B,
                                   Message What) const {
  auto Start = [&](const Access &X) {
    return X.Outer ? X.Outer->getBeginLoc() : Loop.Loop->getBeginLoc();
  };
  return {Start(A), Start(B), std::move(What)};
}

} // namespace kpipe
