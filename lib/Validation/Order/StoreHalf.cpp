// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward from the destinations of copies until nothing more is needed, see
// StoreHalf.h.

#include "StoreHalf.h"
#include "Accesses.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace clang;

namespace kpipe {

bool StoreHalf::want(const Stmt *S) {
  if (!S || Nodes.count(S))
    return false;
  CodeNodes N = nodesOf(S);
  Nodes.insert(S);
  Nodes.insert(N.All.begin(), N.All.end());
  Needs.insert(N.Mentioned.begin(), N.Mentioned.end());
  return true;
}

namespace {

/// What a statement reads of the thread's own variables, by whatever name.
void needReads(const Stmt *S, StoreHalf &Half, const CallFrame &In) {
  for (const Access &A : accessesOf(S, In).All)
    if (!A.Write && A.Where.Where == Storage::Kind::Local && A.Where.Var)
      Half.Needs.insert(A.Where.Var);
}

/// Conditions that choose between the values of a copy: only what fetches asks
/// for them.
using Choices = llvm::SmallPtrSet<const Stmt *, 4>;

/// Statements without parts of their own that write what is needed.
bool wantLeaves(const Stmt *S, StoreHalf &Half, const Choices &Choosing,
                const CallFrame &In) {
  if (!S || Half.Nodes.count(S) || Choosing.count(S))
    return false;
  if (isa<CompoundStmt, IfStmt, ForStmt, AttributedStmt>(S)) {
    bool More = false;
    for (const Stmt *Child : S->children())
      if (Child && !isa<Expr>(Child))
        More |= wantLeaves(Child, Half, Choosing, In);
      else if (Child && isa<CompoundStmt, IfStmt>(S))
        More |= wantLeaves(Child, Half, Choosing, In);
      else if (const auto *F = dyn_cast<ForStmt>(S); F && Child == F->getBody())
        More |= wantLeaves(Child, Half, Choosing, In);
    return More;
  }
  for (const Access &A : accessesOf(S, In).All)
    if (A.Write && A.Where.Where == Storage::Kind::Local &&
        Half.Needs.count(A.Where.Var)) {
      needReads(S, Half, In);
      return Half.want(S);
    }
  return false;
}

/// Conditions in S around Inner.
bool guards(const Stmt *S, const Stmt *Inner, const Choices &Choosing,
            llvm::function_ref<void(const Stmt *)> Want) {
  if (!S)
    return false;
  if (S == Inner)
    return true;
  bool Holds = false;
  for (const Stmt *Child : S->children())
    Holds |= guards(Child, Inner, Choosing, Want);
  if (Holds) {
    if (const auto *I = dyn_cast<IfStmt>(S); I && !Choosing.count(I->getCond()))
      Want(I->getCond());
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      Want(F->getInit());
      Want(F->getCond());
      Want(F->getInc());
    }
  }
  return Holds;
}

} // namespace

StoreHalf storeHalfOf(const TileLoop &Loop, const PipelinePlan &Plan,
                      const CallFrame &In) {
  StoreHalf Half;
  auto Want = [&](const Stmt *S) { Half.want(S); };
  llvm::SmallPtrSet<const Stmt *, 8> Roots; // statements of both functions
  Choices Choosing;
  for (const TileCopy &Copy : Loop.Copies)
    if (const auto *I = dyn_cast_or_null<IfStmt>(Copy.IfElse))
      Choosing.insert(I->getCond());
  for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
    const TileCopy &Copy = Loop.Copies[C];
    if (Plan.Copies[C].Way != Route::Registers)
      continue;
    Want(Copy.Dst);
    if (!Copy.ValueIsLoaded) {
      Want(Copy.Value);
      if (!Copy.Helper)
        needReads(Copy.Store, Half, In);
    }
    const Stmt *Helper = Copy.Helper ? Copy.Helper->getBody() : nullptr;
    if (Helper && Roots.insert(Helper).second)
      guards(Helper, Copy.Store, Choosing, Want);
    for (const BodyItem &I : Loop.Body)
      if (I.InLoad) {
        Roots.insert(I.S);
        guards(I.S, Copy.HelperCall ? Copy.HelperCall : Copy.Store, Choosing,
               Want);
      }
  }
  for (bool More = true; More;) {
    More = false;
    for (const Stmt *Root : Roots)
      More |= wantLeaves(Root, Half, Choosing, In);
    // Of a helper's arguments those count that its places need.
    for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
      const TileCopy &Copy = Loop.Copies[C];
      if (!Copy.HelperCall)
        continue;
      const auto Args = argumentsOf(Copy.HelperCall);
      for (unsigned I = 0; I != Copy.Helper->getNumParams() && I != Args.size();
           ++I)
        if (Half.Needs.count(Copy.Helper->getParamDecl(I)))
          More |= Half.want(Args[I]);
      // Any of them may need the object that it is called on.
      if (Plan.Copies[C].Way == Route::Registers)
        More |= Half.want(objectOf(Copy.HelperCall));
    }
  }
  return Half;
}

} // namespace kpipe
