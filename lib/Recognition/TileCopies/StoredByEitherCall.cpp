// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two functions, statement by statement, see StoredByEitherCall.h: a parameter
// of one is that of the other if both calls give it the same, a local variable
// if both begin with the same and stay so, and a loop's counter if the loops
// run in step.

#include "StoredByEitherCall.h"
#include "Code/Jumps.h"
#include "Code/Values.h"
#include "CopyLoops.h"
#include "HelperCalls.h"
#include "SameExpressions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class CallsInArms {
public:
  CallsInArms(const TileLoop &Tile, const TileCopy &C, const Scope &In)
      : Tile(Tile), C(C), In(In), Known(In.context()) {}

  llvm::SmallPtrSet<const Expr *, 4> run(const Stmt *Root) {
    llvm::SmallPtrSet<const Expr *, 4> Idle;
    auto Path = pathTo(C.HelperCall, Root);
    for (size_t I = Path.size(); I-- != 0;) {
      if (isLoop(Path[I]) || isa<SwitchStmt>(Path[I]))
        break;
      const auto *If = dyn_cast<IfStmt>(Path[I]);
      if (!If || I + 1 == Path.size() || If->isConstexpr() || If->getInit() ||
          If->getConditionVariable() || holdsJumps(If))
        continue;
      Around = If;
      const Stmt *Other = Path[I + 1] == If->getThen()   ? If->getElse()
                          : Path[I + 1] == If->getElse() ? If->getThen()
                                                         : nullptr;
      if (Other && calls(Other))
        Idle.insert(If->getCond());
    }
    return Idle;
  }

private:
  const TileLoop &Tile;
  const TileCopy &C;
  const Scope &In;
  Values Known;
  const IfStmt *Around = nullptr;
  /// The call of the other arm, and the scope of what it calls.
  const CallExpr *Call = nullptr;
  std::optional<Scope> Callee;

  static bool holdsJumps(const Stmt *S) {
    return S && (isJump(S) || llvm::any_of(S->children(), holdsJumps));
  }

  bool calls(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *B = dyn_cast<CompoundStmt>(S))
      return llvm::any_of(B->body(),
                          [&](const Stmt *Child) { return calls(Child); });
    if (const auto *I = dyn_cast<IfStmt>(S))
      return calls(I->getThen()) && calls(I->getElse());
    if (const auto *W = dyn_cast<FullExpr>(S))
      return calls(W->getSubExpr());
    const auto *Other = dyn_cast<CallExpr>(S);
    return Other && storesToo(Other);
  }

  /// Does what the other arm calls store the place?
  bool storesToo(const CallExpr *Other) {
    const auto D = llvm::find_if(Tile.Copies, [&](const TileCopy &Copy) {
      return Copy.HelperCall == Other && Copy.Helper;
    });
    if (D == Tile.Copies.end() || holdsJumps(D->Helper->getBody()) ||
        holdsJumps(C.Helper->getBody()) || calledOn(Other) ||
        calledOn(C.HelperCall))
      return false;
    Call = Other;
    Callee.emplace(helperScope(*D, In));
    Counters Map;
    const auto Mine = givenTo(C.HelperCall), Others = givenTo(Other);
    for (unsigned I = 0; I < Mine.size() && I < Others.size(); ++I)
      if (I < C.Helper->getNumParams() && I < D->Helper->getNumParams())
        pair(Map, C.Helper->getParamDecl(I), D->Helper->getParamDecl(I),
             Mine[I], Others[I], isKept(Mine[I]));
    return stores(D->Helper->getBody(), Map, 0);
  }

  /// Does an argument do nothing, and say the same in both arms?
  bool isKept(const Expr *E) const {
    const Effects Of = effectsOf(E, In), If = effectsOf(Around, In);
    return Of.Events.empty() && Of.Writes.empty() &&
           llvm::all_of(Of.Memory,
                        [](const MemoryAccess &A) { return !A.Write; }) &&
           llvm::none_of(Of.Reads, [&](const VarDecl *V) {
             return If.Writes.count(V) && !V->getType()->isArrayType();
           });
  }

  /// A reference to an array is that array, whatever is stored in it.
  bool staysSame(const VarDecl *V) {
    const QualType T = V->getType();
    return (T->isReferenceType() && T->getPointeeType()->isArrayType()) ||
           (!T->isReferenceType() && Known.unchanged(V));
  }

  /// If they are not the same, Mine is none at all: both calls may be of one
  /// function.
  void pair(Counters &Map, const VarDecl *Mine, const VarDecl *Other,
            const Expr *From, const Expr *OthersFrom, bool Kept) {
    const bool Same =
        Kept && From && OthersFrom &&
        In.context().hasSameType(Mine->getType(), Other->getType()) &&
        !Mine->getType()->isRecordType() && staysSame(Mine) &&
        staysSame(Other) && sameButFor(Map, From, OthersFrom, In.context());
    Map.push_back({Mine, Same ? Other : nullptr});
  }

  /// C's function declares the same?
  void declared(Counters &Map, const DeclStmt *D) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      llvm::StringRef Name;
      llvm::SmallVector<const VarDecl *, 2> Found;
      bool VisitVarDecl(const VarDecl *V) override {
        if (V->getIdentifier() && V->getName() == Name &&
            V->hasLocalStorage() && !isa<ParmVarDecl>(V))
          Found.push_back(V);
        return true;
      }
    };
    for (const Decl *One : D->decls()) {
      const auto *V = dyn_cast<VarDecl>(One);
      if (!V || !V->hasLocalStorage() || !V->getIdentifier())
        continue;
      Finder F;
      F.Name = V->getName();
      F.TraverseStmt(C.Helper->getBody());
      for (const VarDecl *Mine : F.Found)
        pair(Map, Mine, V, Mine->getInit(), V->getInit(), F.Found.size() == 1);
    }
  }

  bool inStep(const ForStmt *F, const CopyLoop &With, Counters &Map) const {
    const CopyLoop L = describeCopyLoop(F, *Callee);
    const ASTContext &Context = In.context();
    if (L.Trips == 0 || With.Trips == 0 || !L.Index || !With.Index ||
        L.Compare != With.Compare || !L.Step != !With.Step || !L.Init ||
        !With.Init || !L.Bound || !With.Bound ||
        !Context.hasSameType(L.Index->getType(), With.Index->getType()) ||
        !sameButFor(Map, With.Init, L.Init, Context) ||
        !sameButFor(Map, With.Bound, L.Bound, Context) ||
        (L.Step && !sameButFor(Map, With.Step, L.Step, Context)))
      return false;
    Map.push_back({With.Index, L.Index});
    return true;
  }

  /// Does S store the place of C whenever it is run?
  /// \param Depth of the loops around S.
  bool stores(const Stmt *S, Counters Map, unsigned Depth) {
    if (!S)
      return false;
    if (const auto *B = dyn_cast<CompoundStmt>(S))
      return llvm::any_of(B->body(), [&](const Stmt *Child) {
        if (const auto *D = dyn_cast<DeclStmt>(Child))
          declared(Map, D);
        return stores(Child, Map, Depth);
      });
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      if (I->getInit() || I->getConditionVariable())
        return false;
      if (auto Is = Known.evaluate(I->getCond()))
        return stores(*Is ? I->getThen() : I->getElse(), Map, Depth);
      return stores(I->getThen(), Map, Depth) &&
             stores(I->getElse(), Map, Depth);
    }
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      return stores(A->getSubStmt(), Map, Depth);
    if (const auto *F = dyn_cast<ForStmt>(S))
      return Depth < C.Loops.size() && inStep(F, C.Loops[Depth], Map) &&
             stores(F->getBody(), Map, Depth + 1);
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<FullExpr>(E))
      return stores(W->getSubExpr(), Map, Depth);
    return Depth == C.Loops.size() &&
           llvm::any_of(Tile.Copies, [&](const TileCopy &D) {
             return (D.Store == E || D.FillStore == E) &&
                    D.Buffer == C.Buffer && D.HelperCall == Call &&
                    In.context().hasSameType(D.Dst->getType(),
                                             C.Dst->getType()) &&
                    sameButFor(Map, C.Dst, D.Dst, In.context());
           });
  }
};

} // namespace

llvm::SmallPtrSet<const Expr *, 4> idleAroundCall(const TileLoop &Tile,
                                                  const TileCopy &C,
                                                  const Stmt *Root,
                                                  const Scope &In) {
  return CallsInArms(Tile, C, In).run(Root);
}

} // namespace kpipe
