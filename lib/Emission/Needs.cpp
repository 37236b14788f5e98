// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements each half of a split load keeps, see Needs.h. What may give
// a value to a variable that a kept statement uses is kept as well, and so is
// what declares a type or another name that it spells, until nothing more is
// needed.

#include "Needs.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "NamesUsed.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool intersects(const VarSet &A, const VarSet &B) {
  return llvm::any_of(A, [&](const VarDecl *V) { return B.count(V); });
}

/// True if something was new.
template <typename Set> bool add(Set &To, const Set &From) {
  bool New = false;
  for (const auto *D : From)
    New |= To.insert(D).second;
  return New;
}

/// Brings in names of a namespace, whatever they are.
bool bringsNames(const Decl *D) {
  return isa<UsingDirectiveDecl, UsingDecl, UsingEnumDecl, NamespaceAliasDecl>(
      D);
}

/// Does a declaration declare one of these names? One that brings in others
/// may always be asked for. What depends on no parameter of a template is named
/// by the declaration that the template has, which stands at the same place.
bool declares(const DeclStmt *S, const DeclSet &Names) {
  return llvm::any_of(S->decls(), [&](const Decl *D) {
    return bringsNames(D) || llvm::any_of(Names, [&](const Decl *N) {
             return N->getLocation() == D->getLocation() ||
                    N == D->getCanonicalDecl();
           });
  });
}

} // namespace

/// Every half begins anew with these.
bool HalfNeeds::declaredInLoop(const VarDecl *V) const {
  const SourceManager &SM = Source.context().getSourceManager();
  SourceLocation At = SM.getExpansionLoc(V->getLocation());
  return !SM.isBeforeInTranslationUnit(
             At, SM.getExpansionLoc(Loop.Loop->getBeginLoc())) &&
         SM.isBeforeInTranslationUnit(
             At, SM.getExpansionLoc(Loop.Loop->getEndLoc()));
}

HalfNeeds::HalfNeeds(const TileLoop &Loop, const PipelinePlan &Plan,
                     const SourceText &Source,
                     llvm::ArrayRef<HelperUse> Helpers)
    : Loop(Loop), Plan(Plan), Source(Source), Helpers(Helpers) {
  findNeeds();
}

void HalfNeeds::findNeeds() {
  VarSet &Ahead = Needs[0], &Store = Needs[1];
  for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
    const TileCopy &C = Loop.Copies[I];
    bool Async = Plan.Copies[I].Way == Route::AsyncCopy;
    if (Async || C.ValueIsLoaded) {
      add(Ahead, C.GuardNeeds);
      add(Ahead, C.ValueNeeds);
    }
    if (Async)
      add(Ahead, C.PlaceNeeds);
    if (!Async) {
      add(Store, C.PlaceNeeds);
      add(Store, C.GuardNeeds);
      if (!C.ValueIsLoaded)
        add(Store, C.ValueNeeds);
    }
  }
  // Of the arguments that the clone that stores is given it uses those that
  // places need; others may be ahead already and must not move again.
  for (const HelperUse &U : Helpers) {
    auto Given = givenTo(U.Call);
    if (const Expr *Object = calledOn(U.Call))
      Given.push_back(Object);
    for (unsigned I = 0; I != Given.size(); ++I) {
      Uses Used = usesOf(Given[I]);
      if (!llvm::is_contained(U.unused(Half::Ahead), I)) {
        add(Ahead, Used.Named);
        add(Spelled[0], Used.Spelled);
      }
      if (!U.StoreName.empty() &&
          !llvm::is_contained(U.unused(Half::Store), I)) {
        add(StoreArguments, Used.Named);
        add(Spelled[1], Used.Spelled);
      }
    }
  }
  bool Growing = true;
  while (Growing) {
    Growing = false;
    for (Half Which : {Half::Ahead, Half::Store}) {
      for (const BodyItem &I : Loop.Body)
        if (I.InLoad)
          settle(I.S, Which, Growing);
      for (const HelperUse &U : Helpers)
        for (const TileCopy &C : Loop.Copies)
          if (C.HelperCall == U.Call) {
            Within = U.Call;
            settle(C.Helper->getBody(), Which, Growing);
            Within = nullptr;
            break;
          }
    }
  }
}

bool HalfNeeds::reads(Half Which, const VarDecl *V) const {
  if (Plan.hasRoute(Route::Registers) || Which == Half::Store)
    return Needs[Which == Half::Store].count(V) ||
           (Which == Half::Store && StoreArguments.count(V));
  return true;
}

/// Does this half make the copy, or a part of it?
bool HalfNeeds::keepsCopy(unsigned Index, Half Which) const {
  if (Plan.Copies[Index].Way == Route::AsyncCopy)
    return Which == Half::Ahead;
  return Which == Half::Store || Loop.Copies[Index].ValueIsLoaded;
}

bool HalfNeeds::declaresNoVariable(const Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && llvm::none_of(D->decls(),
                            [](const Decl *X) { return isa<VarDecl>(X); });
}

bool HalfNeeds::doesWithout(const VarDecl *V, Half Which) const {
  if (Needs[Which == Half::Store].count(V) ||
      (Which == Half::Store && StoreArguments.count(V)) ||
      V->hasAttr<CUDASharedAttr>() || V->isStaticLocal() ||
      V->getType()->isReferenceType() || V->getType().isDestructedType())
    return false;
  const Expr *Init = V->getInit();
  if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(Init);
      C && C->getConstructor()->isTrivial() && C->getNumArgs() == 0)
    Init = nullptr;
  return !Init || !hasEffect(Init, Source.context());
}

/// Is it only there to fill a temporary that no copy uses any more?
bool HalfNeeds::fillsTemporary(const Stmt *S) const {
  if (const auto *E = dyn_cast<Expr>(S)) {
    while (const auto *W = dyn_cast<FullExpr>(E->IgnoreParens()))
      E = W->getSubExpr();
    S = E->IgnoreParens();
  }
  auto has = [&](auto Test) { return llvm::any_of(Loop.Copies, Test); };
  if (has([&](const TileCopy &C) { return C.Via.Var && C.Via.Set == S; }))
    return true;
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && llvm::all_of(D->decls(), [&](const Decl *One) {
           return has([&](const TileCopy &C) { return C.Via.Var == One; });
         });
}

bool HalfNeeds::keepsLeaf(const Stmt *S, Half Which) const {
  if (fillsTemporary(S))
    return false;
  VarSet Defined = usesOf(S).Defined;
  const DeclSet &Mine = Spelled[Which == Half::Store];
  const DeclSet &Others = Spelled[Which != Half::Store];
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    if (declares(D, Mine))
      return true;
    if (declaresNoVariable(S))
      return Which == Half::Ahead && !declares(D, Others);
  }
  if (Which == Half::Store) {
    if (intersects(Defined, Needs[1]))
      return true;
    return intersects(Defined, StoreArguments) &&
           llvm::all_of(Defined,
                        [&](const VarDecl *V) { return declaredInLoop(V); });
  }
  // Ahead keeps everything but declarations that only stores need, or nobody
  // who loads.
  if (const auto *D = dyn_cast<DeclStmt>(S);
      D && llvm::all_of(D->decls(), [&](const Decl *One) {
        const auto *V = dyn_cast<VarDecl>(One);
        return V && !V->getInit() && doesWithout(V, Which);
      }))
    return false;
  return !isa<DeclStmt>(S) || !Plan.hasRoute(Route::Registers) ||
         Defined.empty() || intersects(Defined, Needs[0]) ||
         !(intersects(Defined, Needs[1]) ||
           intersects(Defined, StoreArguments));
}

bool HalfNeeds::keepsFewer(const DeclStmt &S, Half Which) const {
  auto Out = [&](const Decl *D) {
    const auto *V = cast<VarDecl>(D);
    return doesWithout(V, Which);
  };
  // A type that the declarators share stays whole where they add to it.
  return !S.isSingleDecl() &&
         llvm::all_of(S.decls(),
                      [](const Decl *D) {
                        const auto *V = dyn_cast<VarDecl>(D);
                        return V && !isa<DecompositionDecl>(V) &&
                               !V->getType()->isPointerType() &&
                               !V->getType()->isArrayType() &&
                               !V->getType()->isReferenceType() &&
                               !V->getLocation().isMacroID() &&
                               !V->getEndLoc().isMacroID();
                      }) &&
         llvm::any_of(S.decls(), Out) && !llvm::all_of(S.decls(), Out);
}

void HalfNeeds::use(const Stmt *Part, Half Which, bool &Growing) {
  if (!Part)
    return;
  Uses U = usesOf(Part);
  Growing |= add(Needs[Which == Half::Store], U.Named);
  Growing |= add(Spelled[Which == Half::Store], U.Spelled);
}

/// What the half spells of a copy: of a store from registers the place only.
void HalfNeeds::spell(unsigned Index, const Stmt *Whole, Half Which,
                      bool &Growing) {
  const TileCopy &C = Loop.Copies[Index];
  if (!keepsCopy(Index, Which))
    return;
  bool PlaceOnly = Which == Half::Store && C.ValueIsLoaded;
  Growing |= add(Spelled[Which == Half::Store],
                 usesOf(PlaceOnly ? C.Dst : Whole).Spelled);
  if (!PlaceOnly && C.Via.Var)
    Growing |= add(Spelled[Which == Half::Store], usesOf(C.Value).Spelled);
}

/// Adds to the needs of a half what the parts of a statement that it keeps use.
/// True if it keeps any; the cases are those of Regions::keep().
bool HalfNeeds::settle(const Stmt *S, Half Which, bool &Growing) {
  if (!S)
    return false;
  for (unsigned I = 0; I != Loop.Copies.size(); ++I)
    if (Loop.Copies[I].IfElse == S && Loop.Copies[I].HelperCall == Within) {
      if (Which == Half::Ahead && keepsCopy(I, Which))
        use(cast<IfStmt>(S)->getCond(), Which, Growing);
      spell(I, S, Which, Growing);
      return keepsCopy(I, Which);
    }
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return settle(A->getSubStmt(), Which, Growing);
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    bool Any = false;
    for (const Stmt *Child : C->body())
      Any |= settle(Child, Which, Growing) && !declaresNoVariable(Child);
    return Any;
  }
  if (const auto *F = takenApart(S, Within)) {
    if (!settle(F->getBody(), Which, Growing))
      return false;
    use(F->getInit(), Which, Growing);
    use(F->getCond(), Which, Growing);
    use(F->getInc(), Which, Growing);
    return true;
  }
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    bool Then = settle(I->getThen(), Which, Growing);
    bool Else = settle(I->getElse(), Which, Growing);
    if (!Then && !Else)
      return false;
    use(I->getInit(), Which, Growing);
    use(I->getConditionVariableDeclStmt(), Which, Growing);
    use(I->getCond(), Which, Growing);
    return true;
  }
  return settleLeaf(S, Which, Growing);
}

bool HalfNeeds::settleLeaf(const Stmt *S, Half Which, bool &Growing) {
  CopiesIn Found = copiesIn(S, Within);
  if (Found.Call)
    return llvm::any_of(Helpers, [&](const HelperUse &U) {
      return U.Call == Found.Call &&
             !(Which == Half::Ahead ? U.AheadName : U.StoreName).empty();
    });
  if (!Found.Copies.empty()) {
    for (unsigned I : Found.Copies)
      spell(I, S, Which, Growing);
    bool Any = llvm::any_of(Found.Copies,
                            [&](unsigned I) { return keepsCopy(I, Which); });
    if (Any && !isa<Expr>(S))
      use(S, Which, Growing);
    return Any;
  }
  if (!keepsLeaf(S, Which))
    return false;
  // Names for what is needed are needed: what is done to them is done to it.
  auto Keep = [&](const Stmt *Part) {
    use(Part, Which, Growing);
    Growing |= add(Needs[Which == Half::Store], usesOf(Part).Defined);
  };
  const auto *D = dyn_cast<DeclStmt>(S);
  if (!D || !keepsFewer(*D, Which)) {
    Keep(S);
    return true;
  }
  for (const Decl *One : D->decls())
    if (const auto *V = cast<VarDecl>(One); !doesWithout(V, Which)) {
      Growing |= Needs[Which == Half::Store].insert(V).second;
      if (V->getInit())
        Keep(V->getInit());
    }
  return true;
}

/// Where a jump ends iterations, the whole alone knows what that skips.
const ForStmt *HalfNeeds::takenApart(const Stmt *S,
                                     const CallExpr *Within) const {
  const auto *F = dyn_cast<ForStmt>(S);
  if (!F || !findJump(F))
    return F;
  CopiesIn Found = copiesIn(F, Within);
  return Found.Copies.empty() && !Found.Call ? nullptr : F;
}

CopiesIn HalfNeeds::copiesIn(const Stmt *S, const CallExpr *Within) const {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const TileLoop &Loop;
    const CallExpr *Within;
    CopiesIn Found;
    Finder(const TileLoop &L, const CallExpr *W) : Loop(L), Within(W) {}
    bool VisitExpr(const Expr *E) override {
      for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
        if (Loop.Copies[I].Store == E && Loop.Copies[I].HelperCall == Within)
          Found.Copies.push_back(I);
        if (!Within && Loop.Copies[I].HelperCall == E)
          Found.Call = cast<CallExpr>(E);
      }
      return true;
    }
  } F(Loop, Within);
  F.TraverseStmt(S);
  return std::move(F.Found);
}

} // namespace kpipe
