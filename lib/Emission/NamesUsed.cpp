// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NamesUsed.h.
#include "NamesUsed.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace kpipe {

namespace {

struct UsesFinder : ConstDynamicRecursiveASTVisitor {
  Uses &Out;
  explicit UsesFinder(Uses &Out) : Out(Out) {}

  void spells(const Decl *D) {
    if (const auto *E = dyn_cast_or_null<EnumConstantDecl>(D))
      D = cast<Decl>(E->getDeclContext());
    if (D && !isa<VarDecl>(D))
      Out.Spelled.insert(D->getCanonicalDecl());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    spells(T.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) override {
    spells(T.getDecl());
    return true;
  }

  bool TraverseImplicitCastExpr(const ImplicitCastExpr *C) override {
    const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
    if (C->getCastKind() == CK_LValueToRValue && D) {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        Out.Named.insert(V);
      return true;
    }
    return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(C);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    spells(D->getDecl());
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      Out.Named.insert(V);
      if (!V->getType().isConstQualified())
        Out.Defined.insert(V);
    }
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    Out.Defined.insert(V);
    return true;
  }
  // What a pointer points to has the pointer for a name.
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      through(B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      through(U->getSubExpr());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    for (const Expr *A : C->arguments())
      if (A->getType()->isPointerType() &&
          !A->getType()->getPointeeType().isConstQualified())
        through(A);
    return true;
  }

private:
  /// The variable at the root of an lvalue or a pointer.
  void through(const Expr *E) {
    for (E = E->IgnoreParenCasts();;) {
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase()->IgnoreParenCasts();
      else if (const auto *M = dyn_cast<MemberExpr>(E))
        E = M->getBase()->IgnoreParenCasts();
      else if (const auto *U = dyn_cast<UnaryOperator>(E))
        E = U->getSubExpr()->IgnoreParenCasts();
      else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->isAdditiveOp() && B->getType()->isPointerType())
        E = (B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                     : B->getRHS())
                ->IgnoreParenCasts();
      else
        break;
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        Out.Defined.insert(V);
  }
};

struct EffectFinder : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  bool VisitExpr(const Expr *E) override {
    const auto *B = dyn_cast<BinaryOperator>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    const auto *C = dyn_cast<CastExpr>(E);
    Found |= (B && (B->isAssignmentOp() || B->isPtrMemOp())) ||
             (U && U->isIncrementDecrementOp()) ||
             (C && C->getSubExpr()->getType().isVolatileQualified()) ||
             !isa<BinaryOperator, UnaryOperator, CastExpr, DeclRefExpr,
                  IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
                  ParenExpr, ConditionalOperator, ArraySubscriptExpr,
                  MemberExpr, UnaryExprOrTypeTraitExpr,
                  SubstNonTypeTemplateParmExpr, ConstantExpr>(E);
    return !Found;
  }
  /// The block's own variables have properties for members.
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    Found |= !isSpecialRegister(P);
    return !Found;
  }
};

} // namespace

bool hasEffect(const Expr *E, const ASTContext &Context) {
  if (!E->HasSideEffects(Context))
    return false;
  EffectFinder F;
  F.TraverseStmt(E);
  return F.Found;
}

Uses usesOf(const Stmt *S) {
  Uses U;
  UsesFinder(U).TraverseStmt(S);
  return U;
}

} // namespace kpipe
