// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores on both ways, see StoredEitherWay.h. Two stores have one place if they
// spell it with the same variables and nothing around them changes those.

#include "StoredEitherWay.h"
#include "Code/Jumps.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
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
    struct Names : ConstDynamicRecursiveASTVisitor {
      VarSet Found;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          Found.insert(V);
        return true;
      }
    } Named;
    Named.TraverseStmt(C.Dst);
    Effects Place = effectsOf(C.Dst, In);
    // Of memory a place may ask for constants only, which nothing changes.
    Plain = Place.Events.empty() && Place.Writes.empty() &&
            llvm::all_of(Place.Memory, [](const MemoryAccess &A) {
              return !A.Write && A.Root.Var &&
                     A.Root.Var->getType().isConstQualified();
            });
    Variables = std::move(Named.Found);
    Variables.insert(Place.Reads.begin(), Place.Reads.end());
  }

  llvm::SmallPtrSet<const Expr *, 4> run(const Stmt *Root) {
    llvm::SmallPtrSet<const Expr *, 4> Idle;
    if (!Plain)
      return Idle;
    auto Path = pathTo(C.Store, Root);
    for (size_t I = 0; I + 1 < Path.size(); ++I) {
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

  bool keepsPlace(const Stmt *S) const {
    if (holdsJump(S))
      return false;
    Effects E = effectsOf(S, In);
    return llvm::none_of(E.Writes, [&](const VarDecl *V) {
      return Variables.count(V) && V != Tile.Buffers[C.Buffer].Var;
    });
  }

  /// Does S store the place of C whenever it is run?
  bool stores(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *B = dyn_cast<CompoundStmt>(S))
      return llvm::any_of(B->body(),
                          [&](const Stmt *Child) { return stores(Child); });
    if (const auto *I = dyn_cast<IfStmt>(S))
      return stores(I->getThen()) && stores(I->getElse());
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<FullExpr>(E))
      return stores(W->getSubExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Comma)
      return stores(B->getLHS()) || stores(B->getRHS());
    return llvm::any_of(Tile.Copies, [&](const TileCopy &D) {
      return (D.Store == E || D.FillStore == E) && D.Buffer == C.Buffer &&
             D.HelperCall == C.HelperCall &&
             sameText(D.Dst, C.Dst, In.context());
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
