// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data and indices, see DataFlow.h.

#include "DataFlow.h"
#include "Code/AstUtils.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The variable whose storage an lvalue names a part of, without following
/// pointers.
static const VarDecl *rootOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else
      break;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

bool DataFlow::isData(const Expr *E) const {
  if (!E)
    return false;
  E = E->IgnoreParenCasts();
  QualType T = E->getType();
  if (T->isRealFloatingType() || T->isVectorType())
    return true;
  if (T->isPointerType() || isa<PseudoObjectExpr>(E))
    return false;
  if (isa<ArraySubscriptExpr, MemberExpr, DeclRefExpr>(E)) {
    const VarDecl *V = rootOf(E);
    if (!V)
      return isa<ArraySubscriptExpr>(E); // through a pointer
    if (Data.count(V))
      return true;
    // An element of a shared array, or of what a pointer points to.
    return isa<ArraySubscriptExpr>(E) &&
           (V->getType()->isPointerType() || !V->hasLocalStorage());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref || isData(U->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return isData(B->getLHS()) || isData(B->getRHS());
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return isData(C->getTrueExpr()) || isData(C->getFalseExpr());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return llvm::any_of(C->arguments(),
                        [&](const Expr *A) { return isData(A); });
  return false;
}

namespace {

class Learner : public ConstDynamicRecursiveASTVisitor {
public:
  Learner(const DataFlow &Known, VarSet &Data) : Known(Known), Data(Data) {}
  bool Changed = false;

  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit())
      note(V, V->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      note(rootOf(B->getLHS()), B->getRHS());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    for (const Expr *Output : A->outputs())
      add(rootOf(Output));
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body))
      return true;
    const unsigned Skip = argumentsBefore(C);
    for (unsigned I = Skip; I < C->getNumArgs(); ++I)
      if (I - Skip < Body->getNumParams())
        note(Body->getParamDecl(I - Skip), C->getArg(I));
    if (Visited.insert(Body).second)
      TraverseStmt(Body->getBody());
    return true;
  }

private:
  const DataFlow &Known;
  VarSet &Data;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;

  void note(const VarDecl *V, const Expr *Value) {
    if (V && Known.isData(Value))
      add(V);
  }
  void add(const VarDecl *V) {
    if (V && !V->getType()->isPointerType())
      Changed |= Data.insert(V).second;
  }
};

} // namespace

void DataFlow::learn(const Stmt *S) {
  for (bool Again = true; Again;) {
    Learner L(*this, Data);
    L.TraverseStmt(S);
    Again = L.Changed;
  }
}

} // namespace kpipe
