// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores on both ways, see StoredEitherWay.h. Two stores have one place if they
// spell it with the same variables and nothing around them changes those. A
// loop inside of the `if` stores the places that another one stores which runs
// in step with it.

#include "StoredEitherWay.h"
#include "Code/Jumps.h"
#include "CopyLoops.h"
#include "SameExpressions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool sameText(const Stmt *A, const Stmt *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID X, Y;
  A->Profile(X, Context, true);
  B->Profile(Y, Context, true);
  return X == Y;
}

bool holdsJump(const Stmt *S) {
  return S && (isJump(S) || llvm::any_of(S->children(), holdsJump));
}

class IdleFinder {
public:
  IdleFinder(const TileLoop &Tile, const TileCopy &C, const Scope &In)
      : Tile(Tile), C(C), In(In) {
    Plain = isMadeOf(C.Dst);
  }

  llvm::SmallPtrSet<const Expr *, 4> run(const Stmt *Root) {
    llvm::SmallPtrSet<const Expr *, 4> Idle;
    if (!Plain)
      return Idle;
    auto Path = pathTo(C.Store, Root);
    for (size_t I = Path.size(); I-- != 0;) {
      if (isa<WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(Path[I]))
        break;
      if (const auto *F = dyn_cast<ForStmt>(Path[I]); F && !goesInto(F))
        break;
      if (I + 1 == Path.size())
        continue;
      const auto *If = dyn_cast<IfStmt>(Path[I]);
      if (!If || If->isConstexpr() || If->getInit() ||
          If->getConditionVariable() || !keepsPlace(If))
        continue;
      const Stmt *Other = Path[I + 1] == If->getThen()   ? If->getElse()
                          : Path[I + 1] == If->getElse() ? If->getThen()
                                                         : nullptr;
      const auto *Around = I ? dyn_cast<CompoundStmt>(Path[I - 1]) : nullptr;
      if (stores(Other) || (Around && filledBefore(*Around, If)))
        Idle.insert(If->getCond());
    }
    return Idle;
  }

private:
  const TileLoop &Tile;
  const TileCopy &C;
  const Scope &In;
  VarSet Variables; ///< that the place is made of
  bool Plain = false;
  /// Between the `if` and the store, innermost first.
  llvm::SmallVector<CopyLoop, 2> Loops;

  /// Its variables go to Variables. False if E does or asks for more.
  bool isMadeOf(const Expr *E) {
    struct Names : ConstDynamicRecursiveASTVisitor {
      VarSet Found;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          Found.insert(V);
        return true;
      }
    } Named;
    Named.TraverseStmt(E);
    const Effects Of = effectsOf(E, In);
    Variables.insert(Named.Found.begin(), Named.Found.end());
    Variables.insert(Of.Reads.begin(), Of.Reads.end());
    // Of memory a place may ask for constants only, which nothing changes.
    return Of.Events.empty() && Of.Writes.empty() &&
           llvm::all_of(Of.Memory, [](const MemoryAccess &A) {
             return !A.Write && A.Root.Var &&
                    A.Root.Var->getType().isConstQualified();
           });
  }

  /// A loop that counts, and declares what it counts.
  bool goesInto(const ForStmt *F) {
    const CopyLoop L = describeCopyLoop(F, In);
    const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
    if (L.Trips == 0 || !D || !D->isSingleDecl() ||
        D->getSingleDecl() != L.Index)
      return false;
    Loops.push_back(L);
    return isMadeOf(L.Init) && isMadeOf(L.Bound) &&
           (!L.Step || isMadeOf(L.Step));
  }

  bool keepsPlace(const Stmt *S) const {
    if (holdsJump(S))
      return false;
    Effects E = effectsOf(S, In);
    return llvm::none_of(E.Writes, [&](const VarDecl *V) {
      return Variables.count(V) && V != Tile.Buffers[C.Buffer].Var &&
             llvm::none_of(Loops,
                           [&](const CopyLoop &L) { return L.Index == V; });
    });
  }

  bool same(const Counters &Map, const Expr *Mine, const Expr *Other) const {
    return sameText(Mine, Other, In.context()) ||
           sameButFor(Map, Mine, Other, In.context());
  }

  /// Does each turn of F what the turn of a loop around C's store does that
  /// counts the same?
  bool inStep(const ForStmt *F, const CopyLoop &With, Counters &Map) const {
    const CopyLoop L = describeCopyLoop(F, In);
    if (L.Trips == 0 || L.Compare != With.Compare || !L.Step != !With.Step)
      return false;
    const ASTContext &Context = In.context();
    auto Same = [&](const Expr *Mine, const Expr *Other) {
      return same(Map, Mine, Other);
    };
    if (!Context.hasSameType(L.Index->getType(), With.Index->getType()) ||
        !Same(With.Init, L.Init) || !Same(With.Bound, L.Bound) ||
        (L.Step && !Same(With.Step, L.Step)))
      return false;
    Map.push_back({With.Index, L.Index});
    return true;
  }

  /// Does S store the place of C whenever it is run?
  /// \param Map what the loops around S count, as far as Loops go.
  bool stores(const Stmt *S, const Counters &Map = {}) const {
    if (!S)
      return false;
    if (const auto *B = dyn_cast<CompoundStmt>(S))
      return llvm::any_of(
          B->body(), [&](const Stmt *Child) { return stores(Child, Map); });
    if (const auto *I = dyn_cast<IfStmt>(S))
      return stores(I->getThen(), Map) && stores(I->getElse(), Map);
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      return stores(A->getSubStmt(), Map);
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      Counters Inner = Map;
      return Map.size() < Loops.size() &&
             inStep(F, Loops[Loops.size() - 1 - Map.size()], Inner) &&
             stores(F->getBody(), Inner);
    }
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<FullExpr>(E))
      return stores(W->getSubExpr(), Map);
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Comma)
      return stores(B->getLHS(), Map) || stores(B->getRHS(), Map);
    return Map.size() == Loops.size() &&
           llvm::any_of(Tile.Copies, [&](const TileCopy &D) {
             return (D.Store == E || D.FillStore == E) &&
                    D.Buffer == C.Buffer && D.HelperCall == C.HelperCall &&
                    same(Map, C.Dst, D.Dst);
           });
  }

  /// A statement before S, among those of the same block, stores the place, and
  /// the place stays the same up to there.
  bool filledBefore(const CompoundStmt &Block, const Stmt *S) const {
    bool Filled = false;
    for (const Stmt *Child : Block.body()) {
      if (Child == S)
        return Filled;
      Filled = (Filled || stores(Child)) && keepsPlace(Child);
    }
    return false;
  }
};

} // namespace

llvm::SmallPtrSet<const Expr *, 4> idleConditions(const TileLoop &Tile,
                                                  const TileCopy &C,
                                                  const Stmt *Root,
                                                  const Scope &In) {
  return IdleFinder(Tile, C, In).run(Root);
}

} // namespace kpipe
