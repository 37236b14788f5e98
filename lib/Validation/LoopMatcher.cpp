// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop and the block that it became: registers, lambdas, skeleton. Every
// statement of the author's must be found in the lambdas as often as it has to
// be, see Matcher.h.
#include "Matcher.h"
#include "SideEffects.h"
#include "Skeleton.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// `auto *As_stages = As;`
bool Matcher::bindFirst(const Tree &O) {
  for (const DeclaredLoop::StagedVar &N : Loop->Staged) {
    if (!N.View || O.Name != N.Stages || O.Kids.size() != 1)
      continue;
    const Tree &From = withoutConversions(O.kid(0));
    const Decl *Of = N.Var->getCanonicalDecl();
    bool Same = From.is("DeclRefExpr") &&
                (From.Local ? From.Local == Bound.ours(Numbers.lookup(Of))
                            : From.Name == Keys.lookup(Of));
    if (Same)
      Standings[Loop].Firsts[Of] = O.Local;
    return Same;
  }
  return false;
}

/// `auto &As = As_stages[stage];`
/// `auto *As = kpipe::advance_bytes(As_stages, stage * stage_bytes);`
bool Matcher::bindReference(const DeclaredLoop &L, const Tree &O) {
  Standing &At = Standings[&L];
  for (const DeclaredLoop::StagedVar &N : L.Staged) {
    if (O.Name != N.Var->getName() || O.Kids.size() != 1)
      continue;
    const Decl *Of = N.Var->getCanonicalDecl();
    const Tree *Value = &withoutConversions(O.kid(0));
    bool Same = false;
    if (!N.View) {
      if (Value->is("ArraySubscriptExpr") && names(Value->kid(1), At.Stage)) {
        const Tree &Array = withoutConversions(Value->kid(0));
        Same = Array.is("DeclRefExpr") && Array.Local &&
               Array.Local == Bound.ours(Numbers.lookup(Of)) &&
               llvm::StringRef(O.Type).contains('&');
      }
    } else {
      if (Value->is("UnaryOperator") && Value->Label == "*")
        Value = &Value->kid(0);
      if (callsRuntime(*Value, "advance_bytes") && Value->Kids.size() == 3) {
        const Tree *Pointer = &withoutConversions(Value->kid(1));
        if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
          Pointer = &Pointer->kid(0);
        const Tree &Bytes = Value->kid(2);
        auto First = At.Firsts.find(Of);
        Same = First != At.Firsts.end() && names(*Pointer, First->second) &&
               Bytes.is("BinaryOperator") && Bytes.Label == "*" &&
               names(Bytes.kid(0), At.Stage) && names(Bytes.kid(1), At.Bytes);
      }
    }
    if (Same)
      At.References[Of] = O.Local;
    return Same;
  }
  return false;
}

bool Matcher::matchLambda(const Tree &Lambda, llvm::ArrayRef<const Tree *> As,
                          LoadHalf Which) {
  OneToOne Names = Bound;
  Standing Before = Standings[Loop];
  size_t From = Trail.size();
  const TileLoop &T = Loop->Tile;
  for (const HeaderVar &V : T.HeaderVars)
    Bound.forget(Numbers.lookup(V.Var->getCanonicalDecl()));
  for (const std::unique_ptr<Tree> &P : Lambda.Kids) {
    if (P->is("Capture")) {
      bool Declared = llvm::any_of(T.PrivateToLoad, [&](const VarDecl *V) {
        unsigned Number = Numbers.lookup(V->getCanonicalDecl());
        return P->Local && Bound.ours(Number) == P->Local;
      });
      if (!Declared || Which != LoadHalf::Ahead)
        return fail(*As.front(), {msg::meaning_captured_copy, P->Name});
    }
    if (!P->is("ParmVar"))
      continue;
    bool Known = P->Name == Loop->Slot;
    if (P->Name == Loop->Stage) {
      Standings[Loop].Stage = P->Local;
      Known = true;
    }
    for (const HeaderVar &V : T.HeaderVars)
      if (P->Name == V.Var->getName()) {
        if (P->Type != typeText(V.Var->getType().getUnqualifiedType()))
          return fail(*As.front(), {msg::meaning_parameter_type, P->Name, P->Type});
        Bound.bind(Numbers.lookup(V.Var->getCanonicalDecl()), P->Local);
        Known = true;
      }
    if (!Known)
      return fail(*As.front(), {msg::meaning_parameter_unknown, P->Name});
  }
  TreeList Os = flattened(*Lambda.Kids.back());
  size_t Skip = 0;
  while (Skip != Os.size() && Os[Skip]->is("Var") &&
         bindReference(*Loop, *Os[Skip]))
    ++Skip;
  Half = Which;
  llvm::ArrayRef<const Tree *> Rest = llvm::ArrayRef(Os).drop_front(Skip);
  bool Same = true;
  if (Which != LoadHalf::None) {
    Same = matchSome(As, Rest, *As.front());
  } else {
    for (size_t I = 0; Same && I != As.size(); ++I)
      Same = I < Rest.size()
                 ? match(*As[I], *Rest[I])
                 : fail(*As[I], {msg::meaning_statement_missing});
    if (Same && Rest.size() != As.size())
      Same = fail(*As.front(), {msg::meaning_statement_added});
  }
  Half = LoadHalf::None;
  Bound = std::move(Names);
  Standings[Loop] = Before;
  for (const Tree *Node : llvm::ArrayRef(Trail).drop_front(From)) {
    ++Counted->Times[Node];
    if (!Counted->Kept[int(Which)].insert(Node).second)
      Counted->Twice.insert(Node);
  }
  return Same;
}

/// What the body's statements are in a tree, pragmas taken off.
static const BodyItem *itemOf(const Tree &S, const TileLoop &T) {
  for (const BodyItem &I : T.Body) {
    const Stmt *Plain = I.S;
    while (const auto *A = dyn_cast<AttributedStmt>(Plain))
      Plain = A->getSubStmt();
    while (isa<ParenExpr, FullExpr>(Plain))
      Plain = isa<ParenExpr>(Plain) ? cast<ParenExpr>(Plain)->getSubExpr()
                                    : cast<FullExpr>(Plain)->getSubExpr();
    if (S.Origin == Plain)
      return &I;
    if (const auto *D = dyn_cast<DeclStmt>(Plain); D && S.Of)
      for (const Decl *One : D->decls())
        if (One->getCanonicalDecl() == S.Of)
          return &I;
  }
  return nullptr;
}

namespace {

/// Is the variable made anew for each tile, or each call?
bool isOfBody(const VarDecl *V, const Stmt *Loop, const FunctionDecl *Helper,
              const SourceManager &SM) {
  if (!V->hasLocalStorage())
    return false;
  if (Helper && V->getDeclContext() == Helper)
    return true;
  SourceLocation At = SM.getExpansionLoc(V->getLocation());
  const Stmt *Body = nullptr;
  if (const auto *F = dyn_cast<ForStmt>(Loop))
    Body = F->getBody();
  else if (const auto *W = dyn_cast<WhileStmt>(Loop))
    Body = W->getBody();
  else
    Body = cast<DoStmt>(Loop)->getBody();
  SourceLocation Begin = SM.getExpansionLoc(Body->getBeginLoc()),
                 End = SM.getExpansionLoc(Body->getEndLoc());
  return !SM.isBeforeInTranslationUnit(At, Begin) &&
         SM.isBeforeInTranslationUnit(At, End);
}

/// The author's nodes in order, and what is around each.
struct Ordered {
  struct Entry {
    const Tree *Node;
    const Tree *Loop; ///< the innermost one around it
    bool InLambda; ///< or in a function of a class of the body's own
    size_t End = 0; ///< behind the last node below it
  };
  std::vector<Entry> All;
  void add(const Tree &T, const Tree *Loop, bool InLambda) {
    size_t At = All.size();
    All.push_back({&T, Loop, InLambda});
    if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
        T.is("CXXForRangeStmt"))
      Loop = &T;
    for (const std::unique_ptr<Tree> &Kid : T.Kids)
      add(*Kid, Loop, InLambda || T.is("LambdaExpr") || T.is("Method"));
    All[At].End = All.size();
  }
};

} // namespace

/// Each of the author's effects happens once; what a half leaves out changes
/// nothing that it reads; no half reads what another one changes.
bool Matcher::checkAccount(const Tree &A) {
  const TileLoop &T = Loop->Tile;
  const SourceManager &SM = Context.getSourceManager();
  for (unsigned I = 0; I != T.Copies.size(); ++I) {
    const TileCopy &C = T.Copies[I];
    bool ByRegister = !Loop->Async[I] && C.ValueIsLoaded;
    const Tree *At = &A;
    if (Counted->Copied[I] != 1)
      return fail(*At, {Counted->Copied[I] ? msg::meaning_copy_twice
                                           : msg::meaning_copy_missing});
    if (!ByRegister)
      continue;
    if (Counted->Fetched[I] != Counted->Stored[I])
      return fail(*At, {msg::meaning_register_other});
    for (unsigned J = 0; J != I; ++J)
      if (T.Copies[J].HelperCall == C.HelperCall &&
          Counted->Fetched[J] == Counted->Fetched[I])
        return fail(*At, {msg::meaning_register_shared});
  }

  Ordered Nodes;
  llvm::DenseSet<const Stmt *> Exempt;
  for (const TileCopy &C : T.Copies) {
    Exempt.insert(C.Store);
    if (C.FillStore)
      Exempt.insert(C.FillStore);
    if (C.HelperCall)
      Exempt.insert(C.HelperCall);
  }
  // The moved statements, each under the author's own node.
  llvm::DenseSet<const Tree *> Statements;
  auto addItems = [&](const Tree &Body) {
    for (const Tree *S : flattened(Body)) {
      const BodyItem *Item = itemOf(*S, T);
      if (Item && !Item->Barrier && !Item->Step && !Item->SharedDecl) {
        Statements.insert(S);
        Nodes.add(*S, nullptr, false);
      }
    }
  };
  addItems(*A.Kids[A.is("DoStmt") ? 0 : A.Kids.size() - 1]);
  size_t OwnEnd = Nodes.All.size();
  for (auto &[Call, F] : Counted->Helpers)
    Nodes.add(*F->Kids.back(), nullptr, false);

  llvm::DenseMap<const VarDecl *, unsigned> ChangedIn; // bit set of halves
  auto ofBody = [&](const VarDecl *V) {
    for (auto &[Call, F] : Counted->Helpers)
      if (cast<Decl>(V->getDeclContext())->getCanonicalDecl() ==
          F->Of->getCanonicalDecl())
        return true;
    return isOfBody(V, T.Loop, nullptr, SM);
  };
  // `row = (k / BK) & 3;` gives the variable a value for this tile, before it
  // is read: halves that do so find the same, whoever did before.
  auto isSetAnew = [&](const VarDecl *V, size_t At) {
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
      for (const llvm::DenseSet<const Tree *> &Half : Counted->Kept)
        if (Half.contains(R.Node) && !Half.contains(&Set))
          return false;
    }
    return true;
  };
  llvm::DenseSet<const VarDecl *> SetAnew;
  for (const Ordered::Entry &E : Nodes.All) {
    const Stmt *S = E.Node->Origin;
    if (E.Node->is("ReturnStmt") && !E.InLambda && &E - Nodes.All.data() <
                                                       std::ptrdiff_t(OwnEnd))
      return fail(*E.Node, {msg::meaning_returns});
    if (!S || E.InLambda || Exempt.contains(S))
      continue;
    unsigned Times = Counted->Times.lookup(E.Node);
    if (Counted->Twice.contains(E.Node) && hasOwnEffect(S))
      return fail(*E.Node, {msg::meaning_runs_twice});
    const VarDecl *V = changedByName(S);
    if (V && ofBody(V) && !V->hasAttr<CUDASharedAttr>()) {
      // A half that leaves it out must not read it behind.
      for (int H : {int(LoadHalf::Ahead), int(LoadHalf::Store)}) {
        if (Counted->Kept[H].contains(E.Node))
          continue;
        size_t At = &E - Nodes.All.data();
        for (size_t I = 0; I != Nodes.All.size(); ++I) {
          const Ordered::Entry &R = Nodes.All[I];
          if (R.Node->is("DeclRefExpr") &&
              R.Node->Of == V->getCanonicalDecl() &&
              Counted->Kept[H].contains(R.Node) &&
              (I >= E.End || (E.Loop && E.Loop == R.Loop && I < At)))
            return fail(*R.Node, {msg::meaning_not_updated, V->getNameAsString()});
        }
      }
      continue;
    }
    for (const HeaderVar &H : T.HeaderVars)
      if (V == H.Var)
        return fail(*E.Node, {msg::meaning_changed_in_copy, V->getNameAsString()});
    if (V && !V->hasAttr<CUDASharedAttr>())
      for (int H = 0; H != 3; ++H)
        if (Counted->Kept[H].contains(E.Node))
          ChangedIn[V->getCanonicalDecl()] |= 1u << H;
    bool Private = V && llvm::is_contained(T.PrivateToLoad, V);
    // A name that is made anew stands for the load's own copy in the load, if
    // nothing makes it another: see Storage.cpp.
    if (const VarDecl *Other = changedByOtherName(S))
      Private |= llvm::is_contained(T.PrivateToLoad, Other);
    if (V && isSetAnew(V, &E - Nodes.All.data())) {
      SetAnew.insert(V->getCanonicalDecl());
      if (Times != 0)
        continue;
    }
    if (!hasOwnEffect(S))
      continue;
    if (Times == 0)
      return fail(*E.Node, {msg::meaning_runs_not});
    if (Times > (Private ? 2u : 1u))
      return fail(*E.Node, {msg::meaning_runs_twice});
  }
  for (const Ordered::Entry &E : Nodes.All) {
    const auto *V = dyn_cast_or_null<VarDecl>(E.Node->Of);
    if (!V || !E.Node->is("DeclRefExpr") || !ChangedIn.count(V) ||
        SetAnew.contains(V) || llvm::is_contained(T.PrivateToLoad, V))
      continue;
    for (int H = 0; H != 3; ++H)
      if (Counted->Kept[H].contains(E.Node) &&
          !Counted->Idle[H].contains(E.Node) && ChangedIn[V] != 1u << H)
        return fail(*E.Node,
                    {msg::meaning_changed_by_other_tile, V->getNameAsString()});
  }
  return true;
}

bool Matcher::matchLoop(const Tree &A, const Tree &O) {
  const DeclaredLoop *Outer = Loop;
  Loop = loopOf(A);
  const TileLoop &T = Loop->Tile;
  if (!O.is("CompoundStmt"))
    return fail(A, {msg::meaning_no_block});
  Standing &At = Standings[Loop];
  unsigned OuterStage = At.Stage;
  At.Where = Standing::Inside;
  TreeList Os = flattened(O);
  const Tree &Body = *A.Kids[A.is("DoStmt") ? 0 : A.Kids.size() - 1];
  TreeList Load, Compute, Shared;
  for (const Tree *S : flattened(Body)) {
    const BodyItem *Item = itemOf(*S, T);
    if (!Item)
      return fail(*S, {msg::meaning_statement_unclaimed});
    if (Item->SharedDecl)
      Shared.push_back(S);
    if (Item->InLoad)
      Load.push_back(S);
    if (Item->InCompute)
      Compute.push_back(S);
  }

  Account Both;
  Counted = &Both;
  SkeletonMatcher Skeleton(*this, A);
  auto Done = [&](bool Same) {
    Counted = nullptr;
    Standings[Loop].Where = Standing::After;
    if (OuterStage)
      Standings[Loop].Stage = OuterStage;
    if (Same || !Difference.In)
      Difference.In = Difference.In ? Difference.In : Loop;
    Loop = Outer;
    return Same;
  };
  size_t I = 0;
  bool HasLoad = false, HasStore = false, HasCompute = false;
  // Shared arrays, and what their types are made of: in order.
  size_t NextMoved = 0;
  auto movedOut = [&](const Tree &V) -> const Tree * {
    if (NextMoved == Shared.size() || Shared[NextMoved]->Kind != V.Kind ||
        nameOfStages(*Shared[NextMoved], *Loop) != V.Name)
      return nullptr;
    return Shared[NextMoved++];
  };
  // Before C++17 a closure is made elsewhere and moved to its variable.
  auto lambdaOf = [](const Tree &V) -> const Tree & {
    const Tree *At = &V;
    do
      At = At->Kids.size() == 1 ? &At->kid(0) : &V;
    while (At->is("CXXConstructExpr") || At->is("MaterializeTemporaryExpr") ||
           At->is("ImplicitCastExpr"));
    return *At;
  };
  auto isLambda = [&](const Tree &V) { return lambdaOf(V).is("LambdaExpr"); };
  for (; I != Os.size(); ++I) {
    const Tree &V = *Os[I];
    // A header that declares more than it advances begins before the lambdas.
    if (!HasLoad && !Skeleton.begun())
      if (size_t Length = Skeleton.begin(llvm::ArrayRef(Os).drop_front(I))) {
        I += Length - 1;
        continue;
      }
    if (const Tree *Moved = movedOut(V)) {
      bool Staged = V.is("Var") && stagedBy(Moved->Of);
      if (Staged ? !bindStaged(*Moved, V, *Loop) : !match(*Moved, V))
        return Done(false);
      continue;
    }
    if (!V.is("Var"))
      break;
    if (V.Name == Loop->StageBytes && !V.Name.empty()) {
      At.Bytes = V.Local;
      continue;
    }
    if (!HasLoad && bindFirst(V))
      continue;
    if (!isLambda(V)) {
      // Registers stand before the lambdas, the header's variables behind.
      if (HasCompute)
        break;
      continue;
    }
    const Tree &L = lambdaOf(V);
    bool Same = true;
    if (V.Name == Loop->Load && !Load.empty()) {
      HasLoad = true;
      Same = matchLambda(L, Load, LoadHalf::Ahead);
    } else if (V.Name == Loop->Store && !Load.empty()) {
      HasStore = true;
      Same = matchLambda(L, Load, LoadHalf::Store);
    } else if (V.Name == Loop->Compute) {
      HasCompute = true;
      Same = Compute.empty() ? L.Kids.back()->Kids.empty()
                             : matchLambda(L, Compute, LoadHalf::None);
    } else if (V.Name == Loop->HasTile || V.Name == Loop->NextTile) {
      continue; // looked at where it is called
    } else {
      break;
    }
    if (!Same)
      return Done(false);
    Skeleton.addLambda(V.Local, L, V.Name == Loop->Load);
  }
  if (NextMoved != Shared.size())
    return Done(fail(*Shared[NextMoved], {msg::meaning_declaration_missing}));
  if (!HasLoad || !HasCompute || HasStore == Loop->Store.empty())
    return Done(fail(A, {msg::meaning_part_missing}));
  if (!checkAccount(A))
    return Done(false);
  return Done(Skeleton.run(llvm::ArrayRef(Os).drop_front(I)));
}

} // namespace kpipe
