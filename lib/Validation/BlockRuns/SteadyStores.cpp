// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, see SteadyStores.h.

#include "SteadyStores.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What a loop declares, and whether anything leaves a tile early.
struct InLoop : ConstDynamicRecursiveASTVisitor {
  llvm::DenseSet<const VarDecl *> Declared;
  /// Inner loops by the variables that they declare.
  llvm::DenseMap<const VarDecl *, const ForStmt *> CountedBy;
  bool Jumps = false;
  bool VisitVarDecl(const VarDecl *V) override {
    Declared.insert(V);
    return true;
  }
  bool VisitForStmt(const ForStmt *F) override {
    if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit()))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          CountedBy[V] = F;
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    Jumps |= isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt,
                 IndirectGotoStmt, LabelStmt, SwitchStmt, LambdaExpr,
                 StmtExpr, AsmStmt, CoreturnStmt>(S);
    return !Jumps;
  }
};

class Steady {
public:
  Steady(const TileLoop &Loop,
         const llvm::DenseSet<const Expr *> &Watched, const ASTContext &Context)
      : Loop(Loop), Watched(Watched), Context(Context), Changes(changesIn(Loop.Loop)) {
    In.TraverseStmt(Loop.Loop);
    for (const DeclRefExpr *D : Changes.Found)
      Changed[cast<VarDecl>(D->getDecl())].push_back(D);
  }

  bool run(const Statements &Items) {
    return !In.Jumps && Changes.Captured.empty() &&
           llvm::all_of(Items, [&](const Stmt *S) { return statement(S); }) &&
           // Else a function that is called stores some.
           Stores.size() == Watched.size();
  }

private:
  const TileLoop &Loop;
  const llvm::DenseSet<const Expr *> &Watched;
  const ASTContext &Context;
  const VariableChanges Changes;
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const DeclRefExpr *, 2>>
      Changed;
  InLoop In;
  llvm::DenseMap<const VarDecl *, bool> Known;
  llvm::DenseSet<const Expr *> Stores; ///< that were met

  /// Does S hold a store of the load?
  bool stores(const Stmt *S) const {
    const auto *E = dyn_cast_or_null<Expr>(S);
    return (E && Watched.count(E)) ||
           (S && llvm::any_of(S->children(),
                              [&](const Stmt *C) { return stores(C); }));
  }

  bool statement(const Stmt *S) {
    if (!stores(S))
      return true;
    if (const auto *C = dyn_cast<CompoundStmt>(S))
      return llvm::all_of(C->body(), [&](const Stmt *X) { return statement(X); });
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      return statement(A->getSubStmt());
    if (const auto *I = dyn_cast<IfStmt>(S))
      return !I->getInit() && !I->getConditionVariable() &&
             steady(I->getCond()) && statement(I->getThen()) &&
             (!I->getElse() || statement(I->getElse()));
    if (const auto *F = dyn_cast<ForStmt>(S))
      return !F->getConditionVariable() && F->getCond() &&
             steady(F->getCond()) && !stores(F->getInit()) &&
             !stores(F->getInc()) && statement(F->getBody());
    const auto *E = dyn_cast<Expr>(S);
    if (const auto *C = dyn_cast_or_null<ExprWithCleanups>(E))
      E = C->getSubExpr();
    const auto *B = dyn_cast_or_null<BinaryOperator>(E);
    if (!B || !Watched.count(B) || B->getOpcode() != BO_Assign ||
        stores(B->getRHS()))
      return false;
    Stores.insert(B);
    return steady(B->getLHS());
  }

  /// Is it the same in each tile: a value, or a place?
  bool steady(const Expr *E) {
    if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr,
            UnaryExprOrTypeTraitExpr, SubstNonTypeTemplateParmExpr>(E))
      return true;
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V ? steady(V) : isa<EnumConstantDecl>(D->getDecl());
    }
    if (const auto *P = dyn_cast<PseudoObjectExpr>(E)) {
      // `threadIdx.x`
      const auto *M =
          dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
      const Expr *Of = M ? M->getBaseExpr() : nullptr;
      while (const auto *O = dyn_cast_or_null<OpaqueValueExpr>(Of))
        Of = O->getSourceExpr();
      const auto *D = dyn_cast_or_null<DeclRefExpr>(Of);
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return V && !V->hasLocalStorage();
    }
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() != CK_LValueToRValue)
        return steady(C->getSubExpr());
      // Memory may hold something else.
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return V ? !V->getType()->isReferenceType() && steady(V)
               : isa<PseudoObjectExpr>(C->getSubExpr()->IgnoreParens()) &&
                     steady(C->getSubExpr());
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return !U->isIncrementDecrementOp() && steady(U->getSubExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return !B->isAssignmentOp() && steady(B->getLHS()) && steady(B->getRHS());
    if (const auto *C = dyn_cast<ConditionalOperator>(E))
      return steady(C->getCond()) && steady(C->getTrueExpr()) &&
             steady(C->getFalseExpr());
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return steady(A->getBase()) && steady(A->getIdx());
    const auto *P = dyn_cast<ParenExpr>(E);
    return P && steady(P->getSubExpr());
  }

  bool steady(const VarDecl *V) {
    auto [It, New] = Known.try_emplace(V, false); // while it is asked
    if (!New)
      return It->second;
    const bool Is = isSteady(V);
    return Known[V] = Is;
  }

  bool isSteady(const VarDecl *V) {
    if (V->getType().isVolatileQualified())
      return false;
    if (!V->hasLocalStorage())
      return V->getType()->isArrayType() ||
             V->isUsableInConstantExpressions(Context);
    // A name of some memory, and always of the same.
    if (V->getType()->isReferenceType())
      return isa<ParmVarDecl>(V) || (V->getInit() && steady(V->getInit()));
    auto By = Changed.find(V);
    if (!In.Declared.count(V))
      return By == Changed.end() || V->getType()->isArrayType();
    if (!V->getInit() || !steady(V->getInit()))
      return false;
    if (By == Changed.end())
      return true;
    // What counts an inner loop begins and steps in the same way.
    const ForStmt *F = In.CountedBy.lookup(V);
    return F && F != Loop.Loop && F->getInc() && By->second.size() == 1 &&
           isStep(F->getInc(), By->second.front());
  }

  bool isStep(const Expr *Inc, const DeclRefExpr *Of) {
    Inc = Inc->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(Inc))
      return U->isIncrementDecrementOp() &&
             U->getSubExpr()->IgnoreParens() == Of;
    const auto *B = dyn_cast<CompoundAssignOperator>(Inc);
    return B && B->getLHS()->IgnoreParens() == Of && steady(B->getRHS());
  }
};

} // namespace

bool storesAreSteady(const TileLoop &Loop, const Statements &Items,
                     const llvm::DenseSet<const Expr *> &Watched,
                     const ASTContext &Context) {
  return Steady(Loop, Watched, Context).run(Items);
}

} // namespace kpipe
