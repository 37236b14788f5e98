// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The account node by node, in the order of the source, see AccountCheck.h.
#include "AccountCheck.h"
#include "Code/Jumps.h"
#include "SharedRegisters.h"
#include "Validation/Trees/ElementsFirst.h"
#include "Validation/Trees/SideEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

void Ordered::add(const Tree &T, const Tree *Loop, bool InLambda) {
  size_t At = All.size();
  All.push_back({&T, Loop, InLambda});
  if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
      T.is("CXXForRangeStmt"))
    Loop = &T;
  for (const std::unique_ptr<Tree> &Kid : T.Kids)
    add(*Kid, Loop, InLambda || T.is("LambdaExpr") || T.is("Method"));
  All[At].End = All.size();
}

AccountCheck::AccountCheck(Matcher &M, const Tree &A)
    : M(M), A(A), T(M.Loop->Tile), Counted(*M.Counted) {
  for (const TileCopy &C : T.Copies) {
    Exempt.insert(C.Store);
    if (C.FillStore)
      Exempt.insert(C.FillStore);
    if (C.HelperCall)
      Exempt.insert(C.HelperCall);
    // What it was given is matched with the copy, see HeldValue.h.
    if (C.Via.Var)
      Exempt.insert(C.Via.Set);
  }
  auto addItems = [&](const Tree &Body) {
    for (const Tree *S : flattened(Body)) {
      const BodyItem *Item = itemOf(*S, T);
      if (Item && !Item->Barrier && !Item->Step && !Item->SharedDecl &&
          !Item->Replaced) {
        Statements.insert(S);
        Nodes.add(*S, nullptr, false);
      }
    }
  };
  addItems(*A.Kids[A.is("DoStmt") ? 0 : A.Kids.size() - 1]);
  OwnEnd = Nodes.All.size();
  for (auto &[Call, F] : Counted.Helpers)
    Nodes.add(*F->Kids.back(), nullptr, false);
}

bool AccountCheck::run() {
  if (!checkCopies() || !checkTiles())
    return false;
  for (const Ordered::Entry &E : Nodes.All)
    if (!checkNode(E))
      return false;
  return checkReads();
}

bool AccountCheck::hasItsLoops(const TileCopy &C, const Stmt *Body) const {
  unsigned Around = 0;
  auto count = [&](const Stmt *Target, const Stmt *Root) {
    auto walk = [&](auto &Self, const Stmt *S) -> bool {
      if (!S)
        return false;
      bool Found = S == Target || llvm::any_of(S->children(), [&](auto *Kid) {
                     return Self(Self, Kid);
                   });
      Around += Found && isLoop(S);
      return Found;
    };
    walk(walk, Root);
  };
  count(C.Store, C.Helper ? C.Helper->getBody() : Body);
  if (C.Helper)
    count(C.HelperCall, Body);
  return Around == C.Loops.size();
}

bool AccountCheck::checkTiles() {
  for (auto I = Counted.Tiles.begin(); I != Counted.Tiles.end(); ++I) {
    if (I->second.Fetched != I->second.Stored)
      return M.fail(A, {msg::meaning_register_other});
    for (auto J = Counted.Tiles.begin(); J != I; ++J)
      if (mayBeOneRegister(*J->second.Where, *I->second.Where))
        return M.fail(A, {msg::meaning_register_shared});
  }
  return true;
}

bool AccountCheck::checkCopies() {
  const Stmt *Body = A.kid(A.is("DoStmt") ? 0 : A.Kids.size() - 1).Origin;
  for (unsigned I = 0; I != T.Copies.size(); ++I) {
    const TileCopy &C = T.Copies[I];
    bool ByRegister = !M.Loop->Async[I] && C.ValueIsLoaded;
    const Tree *At = &A;
    if (Counted.Copied[I] != 1)
      return M.fail(*At, {Counted.Copied[I] ? msg::meaning_copy_twice
                                            : msg::meaning_copy_missing});
    if (!ByRegister)
      continue;
    if (Counted.Fetched[I] != Counted.Stored[I])
      return M.fail(*At, {msg::meaning_register_other});
    if (!hasItsLoops(C, Body))
      return M.fail(*At, {msg::meaning_registers_too_few});
    for (unsigned J = 0; J != I; ++J)
      if (const TileCopy &Other = T.Copies[J];
          Other.HelperCall == C.HelperCall && Counted.Registers[J] &&
          mayBeOneRegister(*Counted.Registers[J], *Counted.Registers[I]) &&
          !takeTurns(Other.Store, *Counted.Registers[J], C.Store,
                     *Counted.Registers[I],
                     C.Helper ? C.Helper->getBody() : Body))
        return M.fail(*At, {msg::meaning_register_shared});
  }
  return true;
}

/// Is the variable made anew for each tile, or each call?
bool AccountCheck::isOfBody(const VarDecl *V) const {
  for (auto &[Call, F] : Counted.Helpers)
    if (cast<Decl>(V->getDeclContext())->getCanonicalDecl() ==
        F->Of->getCanonicalDecl())
      return true;
  if (!V->hasLocalStorage())
    return false;
  const SourceManager &SM = M.Context.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(V->getLocation());
  const Stmt *Body = nullptr;
  if (const auto *F = dyn_cast<ForStmt>(T.Loop))
    Body = F->getBody();
  else if (const auto *W = dyn_cast<WhileStmt>(T.Loop))
    Body = W->getBody();
  else
    Body = cast<DoStmt>(T.Loop)->getBody();
  SourceLocation Begin = SM.getExpansionLoc(Body->getBeginLoc()),
                 End = SM.getExpansionLoc(Body->getEndLoc());
  return !SM.isBeforeInTranslationUnit(At, Begin) &&
         SM.isBeforeInTranslationUnit(At, End);
}

/// `row = (k / BK) & 3;` gives the variable a value for this tile, before it is
/// read: halves that do so find the same, whoever did before.
bool AccountCheck::isSetAnew(const VarDecl *V, size_t At) const {
  const Tree &Set = *Nodes.All[At].Node;
  if (!Statements.contains(&Set) || !Set.is("BinaryOperator") ||
      Set.Label != "=" || !Set.kid(0).is("DeclRefExpr") ||
      !V->hasLocalStorage() || V->getType()->isReferenceType())
    return false;
  for (size_t I = 0; I != Nodes.All.size(); ++I) {
    const Ordered::Entry &R = Nodes.All[I];
    if (!R.Node->is("DeclRefExpr") || R.Node->Of != V->getCanonicalDecl() ||
        R.Node == &Set.kid(0))
      continue;
    if (I < Nodes.All[At].End)
      return false;
    for (const llvm::DenseSet<const Tree *> &Half : Counted.Kept)
      if (Half.contains(R.Node) && !Half.contains(&Set))
        return false;
  }
  return true;
}

bool AccountCheck::hasElementsAnew(const VarDecl *V) {
  auto [It, New] = ElementsAnew.try_emplace(V, false);
  if (!New || !isArrayOfLoop(V, T.Loop, T.Function, M.Context))
    return It->second;
  llvm::SmallVector<const Stmt *, 8> Parts;
  for (const BodyItem &I : T.Body)
    Parts.push_back(I.S);
  llvm::DenseMap<const Stmt *, const Tree *> Of;
  for (const Ordered::Entry &E : Nodes.All)
    if (E.Node->Origin)
      Of[E.Node->Origin] = E.Node;
  return It->second = llvm::all_of(Counted.Kept, [&](const auto &Half) {
    return elementsWrittenFirst(Parts, V, M.Context, [&](const Stmt *S) {
      return Half.contains(Of.lookup(S));
    });
  });
}

bool AccountCheck::checkNode(const Ordered::Entry &E) {
  const Stmt *S = E.Node->Origin;
  if (E.Node->is("ReturnStmt") && !E.InLambda &&
      &E - Nodes.All.data() < std::ptrdiff_t(OwnEnd))
    return M.fail(*E.Node, {msg::meaning_returns});
  if (!S || E.InLambda || Exempt.contains(S))
    return true;
  if (Counted.Twice.contains(E.Node) && hasOwnEffect(S))
    return M.fail(*E.Node, {msg::meaning_runs_twice});
  const VarDecl *V = changedByName(S);
  if (V && isOfBody(V) && !V->hasAttr<CUDASharedAttr>())
    return checkUpdate(E, V);
  return checkEffect(E, V);
}

bool AccountCheck::checkUpdate(const Ordered::Entry &E, const VarDecl *V) {
  // In what a temporary was given, another counter stands for this one.
  for (const TileCopy &C : T.Copies)
    for (auto &[Counter, Other] : C.Via.Counters)
      if (Counter == V)
        return true;
  for (int H : {int(LoadHalf::Ahead), int(LoadHalf::Store)}) {
    if (Counted.Kept[H].contains(E.Node))
      continue;
    size_t At = &E - Nodes.All.data();
    for (size_t I = 0; I != Nodes.All.size(); ++I) {
      const Ordered::Entry &R = Nodes.All[I];
      if (R.Node->is("DeclRefExpr") && R.Node->Of == V->getCanonicalDecl() &&
          Counted.Kept[H].contains(R.Node) &&
          (I >= E.End || (E.Loop && E.Loop == R.Loop && I < At)))
        return M.fail(*R.Node,
                      {msg::meaning_not_updated, V->getNameAsString()});
    }
  }
  return true;
}

bool AccountCheck::checkEffect(const Ordered::Entry &E, const VarDecl *V) {
  const Stmt *S = E.Node->Origin;
  const unsigned Times = Counted.Times.lookup(E.Node);
  for (const HeaderVar &H : T.HeaderVars)
    if (V == H.Var)
      return M.fail(*E.Node,
                    {msg::meaning_changed_in_copy, V->getNameAsString()});
  if (V && !V->hasAttr<CUDASharedAttr>())
    for (int H = 0; H != 3; ++H)
      if (Counted.Kept[H].contains(E.Node))
        ChangedIn[V->getCanonicalDecl()] |= 1u << H;
  bool Private = V && llvm::is_contained(T.PrivateToLoad, V);
  // A name that is made anew stands for the load's own copy in the load, if
  // nothing makes it another: see Storage.cpp.
  if (const VarDecl *Other = changedByOtherName(S))
    Private |= llvm::is_contained(T.PrivateToLoad, Other);
  if (V && isSetAnew(V, &E - Nodes.All.data())) {
    SetAnew.insert(V->getCanonicalDecl());
    if (Times != 0)
      return true;
  }
  if (!hasOwnEffect(S))
    return true;
  if (Times == 0)
    return M.fail(*E.Node, {msg::meaning_runs_not});
  if (Times > (Private ? 2u : 1u) && !(V && hasElementsAnew(V)))
    return M.fail(*E.Node, {msg::meaning_runs_twice});
  return true;
}

bool AccountCheck::checkReads() {
  for (const Ordered::Entry &E : Nodes.All) {
    const auto *V = dyn_cast_or_null<VarDecl>(E.Node->Of);
    if (!V || !E.Node->is("DeclRefExpr") || !ChangedIn.count(V) ||
        SetAnew.contains(V) || llvm::is_contained(T.PrivateToLoad, V))
      continue;
    for (int H = 0; H != 3; ++H)
      if (Counted.Kept[H].contains(E.Node) &&
          !Counted.Idle[H].contains(E.Node) && ChangedIn[V] != 1u << H &&
          !hasElementsAnew(V))
        return M.fail(*E.Node, {msg::meaning_changed_by_other_tile,
                                V->getNameAsString()});
  }
  return true;
}

} // namespace kpipe
