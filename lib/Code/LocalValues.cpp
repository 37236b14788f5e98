// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of pointers and objects in a function's body, see LocalValues.h.
#include "LocalValues.h"
#include "SelfNames.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct PointerIndexer : ConstDynamicRecursiveASTVisitor {
  PointerValues Assigned;
  explicit PointerIndexer(const Stmt *Body) : Kept(keptResults(Body)) {}

  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    return llvm::all_of(L->children(),
                        [&](const Stmt *Child) { return TraverseStmt(Child); });
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Assigned[V].push_back(V->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp() && !Kept.contains(B))
      set(B->getLHS());
    // `p += n` stays in the same object; `p = q` may not.
    if (B->getOpcode() == BO_Assign)
      if (const VarDecl *V = pointerNamedBy(B->getLHS()))
        Assigned[V].push_back(B->getRHS());
    return true;
  }
  // A pointer that is named otherwise than to read it, assign it or step it
  // gets another name (`&p`, `T *&r = p`, `f(p)` by reference), through which
  // it can be given anything.
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const VarDecl *V = pointerNamedBy(D); V && !Plain.count(D))
      Assigned[V].push_back(nullptr);
    return true;
  }
  bool VisitCastExpr(const CastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue ||
        (C->getCastKind() == CK_NoOp &&
         (isa<ImplicitCastExpr>(C) || Plain.count(C))))
      plain(C->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp() && !Kept.contains(U))
      set(U->getSubExpr());
    return true;
  }

private:
  Results Kept; ///< `T *&r = (p = q)`
  /// Mentions that only read, assign or step; parents are visited first.
  llvm::SmallPtrSet<const Expr *, 16> Plain;
  void plain(const Expr *E) { Plain.insert(E->IgnoreParens()); }
  /// `(T *&)p = q`: what the cast yields is no name whose values are collected.
  void set(const Expr *E) {
    if (!isa<CastExpr>(E->IgnoreParens()))
      plain(E);
  }
};

struct ReturnFinder : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const Expr *, 2> Values;
  bool VisitReturnStmt(const ReturnStmt *R) override {
    if (R->getRetValue())
      Values.push_back(R->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

} // namespace

const VarDecl *pointerNamedBy(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->getType()->isPointerType() ? V : nullptr;
}

PointerValues valuesOfPointers(const Stmt *Body) {
  PointerIndexer Indexer(Body);
  Indexer.TraverseStmt(Body);
  return std::move(Indexer.Assigned);
}

llvm::SmallVector<const Expr *, 2>
returnedValues(const FunctionDecl *Definition) {
  ReturnFinder Finder;
  Finder.TraverseStmt(Definition->getBody());
  return std::move(Finder.Values);
}

} // namespace kpipe
