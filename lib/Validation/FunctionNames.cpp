// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a function's body, see FunctionNames.h. A mention that is none
// of the plain uses known here makes another name.

#include "FunctionNames.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

const VarDecl *namedVariable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const Expr *baseOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      const auto *C = dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
      if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
        return E;
      E = C->getSubExpr();
    } else
      return E;
  }
}

namespace {

/// Notes what pointers are given, and mentions that make another name.
struct NameFinder : ConstDynamicRecursiveASTVisitor {
  FunctionNames Found;
  llvm::SmallPtrSet<const Expr *, 32> Plain;
  llvm::SmallPtrSet<const VarDecl *, 4> Copied; ///< into closures

  NameFinder() { ShouldVisitImplicitCode = true; }

  void plain(const Expr *E) {
    if (const Expr *B = baseOf(E); isa<DeclRefExpr>(B))
      Plain.insert(B);
  }

  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Found.Given[V].push_back(V->getInit());
    if (V->hasInit() && !isa<ParmVarDecl>(V) && V->getType()->isRecordType())
      Found.Holds[V].push_back(V->getInit());
    return true;
  }
  /// A part of a variable of class type is given a value.
  void holds(const Expr *Part, const Expr *Value) {
    const VarDecl *V = namedVariable(baseOf(Part));
    if (V && V->getType()->isRecordType())
      Found.Holds[V].push_back(Value);
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (!B->isAssignmentOp())
      return true;
    plain(B->getLHS());
    if (B->getOpcode() == BO_Assign && B->getType()->isPointerType())
      holds(B->getLHS(), B->getRHS());
    if (const VarDecl *V = namedVariable(B->getLHS());
        V && B->getOpcode() == BO_Assign && V->getType()->isPointerType())
      Found.Given[V].push_back(B->getRHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      plain(U->getSubExpr());
    return true;
  }
  bool VisitCastExpr(const CastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      plain(C->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    if (C->getConstructor()->isTrivial())
      for (const Expr *A : C->arguments())
        plain(A->IgnoreImpCasts());
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *C) override {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    if (M && M->isTrivial() && C->getOperator() == OO_Equal) {
      for (const Expr *A : C->arguments())
        plain(A->IgnoreImpCasts());
      holds(C->getArg(0), C->getArg(1));
    }
    return true;
  }
  // A closure names what it captures itself, and that is looked at; what it
  // copies is read when it is made.
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits()))
      if (Capture.capturesVariable() && !L->isInitCapture(&Capture) && Init) {
        const Expr *From = Init->IgnoreParenImpCasts();
        if (const auto *C = dyn_cast<CXXConstructExpr>(From);
            C && C->getConstructor()->isTrivial() && C->getNumArgs() == 1)
          From = C->getArg(0)->IgnoreParenImpCasts();
        if (const VarDecl *V = namedVariable(From)) {
          Plain.insert(From);
          if (Capture.getCaptureKind() == LCK_ByCopy)
            Copied.insert(V);
          else
            Found.Renamed.insert(V);
        }
      }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    bool Captured =
        V && D->refersToEnclosingVariableOrCapture() && !Copied.count(V);
    if (V && (!Plain.count(D) || Captured)) {
      Found.Renamed.insert(V);
      if (V->getType()->isPointerType() && !Plain.count(D))
        Found.Given[V].push_back(nullptr);
    }
    return true;
  }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    return llvm::all_of(L->children(),
                        [&](const Stmt *Child) { return TraverseStmt(Child); });
  }
};

} // namespace

FunctionNames namesIn(const Stmt *Body) {
  NameFinder N;
  N.TraverseStmt(Body);
  return std::move(N.Found);
}

} // namespace kpipe
