// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, see SteadyStores.h.

#include "SteadyStores.h"
#include "Code/BulkOps.h"
#include "Code/KnownFunctions.h"
#include "Code/SpecialRegisters.h"
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

  /// What the copy engine is given in S.
  bool issue(const Stmt *S) {
    llvm::SmallVector<BulkOp, 8> Ops = bulkOpsOf(S, Context);
    if (llvm::none_of(Ops, [](const BulkOp &Op) { return Op.copies(); }))
      return true;
    auto within = [&](const Stmt *X) { return !X || issue(X); };
    if (const auto *C = dyn_cast<CompoundStmt>(S))
      return llvm::all_of(C->body(), within);
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      return issue(A->getSubStmt());
    if (const auto *I = dyn_cast<IfStmt>(S))
      return !I->getInit() && !I->getConditionVariable() &&
             steady(I->getCond()) && issue(I->getThen()) &&
             within(I->getElse());
    if (const auto *F = dyn_cast<ForStmt>(S))
      return !F->getConditionVariable() && F->getCond() &&
             steady(F->getCond()) && issue(F->getBody());
    // A macro's.
    if (const auto *Once = dyn_cast<DoStmt>(S)) {
      bool Again = true;
      return Once->getCond()->EvaluateAsBooleanCondition(Again, Context) &&
             !Again && issue(Once->getBody());
    }
    const auto *E = dyn_cast<Expr>(S);
    while (E && isa<FullExpr, ParenExpr, CStyleCastExpr>(E))
      E = cast<Expr>(*E->child_begin());
    return llvm::all_of(Ops, [&](const BulkOp &Op) {
      return !Op.copies() ||
             (Op.At == (E ? E : S) && !Op.isConditional() && Op.To &&
              steady(Op.To) && (!Op.Number || Op.Value || steady(Op.Number)));
    });
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
    if (isa<PseudoObjectExpr>(E))
      return specialRegister(E).has_value();
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
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return !M->getMemberDecl()->getType()->isReferenceType() &&
             isa<FieldDecl>(M->getMemberDecl()) && steady(M->getBase());
    if (const auto *C = dyn_cast<CallExpr>(E))
      return computes(C) && llvm::all_of(C->arguments(), [&](const Expr *A) {
               return steady(A);
             });
    const auto *P = dyn_cast<ParenExpr>(E);
    return P ? steady(P->getSubExpr()) : isa<CXXThisExpr>(E);
  }

  /// A function of values: the toolkit's, or one expression of what it is
  /// given.
  bool computes(const CallExpr *C, unsigned Depth = 0) const {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || isa<CXXMethodDecl>(F) || Depth == 4)
      return false;
    if (isToolkits(F) || F->getBuiltinID())
      return F->getNumParams() && classifyCall(F) == CallKind::Pure;
    const auto *Code =
        F->hasBody(Body) ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
    const auto *Returns = Code && Code->size() == 1
                              ? dyn_cast<ReturnStmt>(Code->body_front())
                              : nullptr;
    return Returns && Returns->getRetValue() &&
           onlyOfGiven(Returns->getRetValue(), Depth);
  }
  bool onlyOfGiven(const Stmt *S, unsigned Depth) const {
    if (const auto *D = dyn_cast<DeclRefExpr>(S);
        D && !isa<ParmVarDecl, FunctionDecl, EnumConstantDecl>(D->getDecl()))
      return false;
    if (const auto *C = dyn_cast<CallExpr>(S); C && !computes(C, Depth + 1))
      return false;
    const auto *U = dyn_cast<UnaryOperator>(S);
    return !(U &&
             (U->isIncrementDecrementOp() || U->getOpcode() == UO_Deref)) &&
           !isa<ArraySubscriptExpr, MemberExpr, PseudoObjectExpr, LambdaExpr,
                StmtExpr, CXXConstructExpr>(S) &&
           llvm::all_of(S->children(), [&](const Stmt *Kid) {
             return !Kid || onlyOfGiven(Kid, Depth);
           });
  }

  bool steady(const VarDecl *V) {
    auto [It, New] = Known.try_emplace(V, false); // while it is asked
    if (!New)
      return It->second;
    const bool Is = isSteady(V);
    return Known[V] = Is;
  }

  bool isSteady(const VarDecl *V) {
    if (V->getType().isVolatileQualified() ||
        llvm::is_contained(Changes.Captured, V))
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

bool copiesAreSteady(const TileLoop &Loop, const ASTContext &Context) {
  struct Jumps : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitStmt(const Stmt *S) override {
      Found |= isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt,
                   IndirectGotoStmt, LabelStmt, SwitchStmt>(S);
      return !Found;
    }
  } Of;
  const auto *If = dyn_cast<IfStmt>(Loop.Bulk->Issue);
  Of.TraverseStmt(Loop.Bulk->Issue);
  const llvm::DenseSet<const Expr *> None;
  return If && !Of.Found && Steady(Loop, None, Context).issue(If->getThen());
}

} // namespace kpipe
