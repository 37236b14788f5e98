// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions by their kind, see ThreadEvaluator.h.

#include "ThreadEvaluator.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

RunValue ThreadEvaluator::value(const Expr *E) {
  if (!tick())
    return {};
  switch (E->getStmtClass()) {
  case Stmt::ParenExprClass:
    return value(cast<ParenExpr>(E)->getSubExpr());
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::ConstantExprClass:
  case Stmt::SubstNonTypeTemplateParmExprClass:
  case Stmt::DeclRefExprClass: // an enumerator
  case Stmt::TypeTraitExprClass:
    if (auto N = constant(E))
      return RunValue::of(*N);
    return {};
  case Stmt::ExprWithCleanupsClass:
    return value(cast<ExprWithCleanups>(E)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return value(cast<MaterializeTemporaryExpr>(E)->getSubExpr());
  case Stmt::CXXDefaultArgExprClass:
    return value(cast<CXXDefaultArgExpr>(E)->getExpr());
  case Stmt::InitListExprClass:
    if (const auto *L = cast<InitListExpr>(E);
        L->getNumInits() == 1 && E->getType()->isIntegralOrEnumerationType())
      return value(L->getInit(0));
    return unknown(E);
  case Stmt::PseudoObjectExprClass:
    return builtin(cast<PseudoObjectExpr>(E));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(cast<BinaryOperator>(E));
  case Stmt::UnaryOperatorClass:
    return unary(cast<UnaryOperator>(E));
  case Stmt::ConditionalOperatorClass:
    return choice(cast<ConditionalOperator>(E));
  case Stmt::CallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CXXMemberCallExprClass:
    return call(cast<CallExpr>(E));
  case Stmt::CXXConstructExprClass:
    if (const auto *C = cast<CXXConstructExpr>(E);
        C->getNumArgs() == 1 &&
        Watched.count(C->getArg(0)->IgnoreParenImpCasts())) {
      const Expr *Copied = C->getArg(0)->IgnoreParenImpCasts();
      report(Copied, Copied);
      return {};
    }
    return unknown(E);
  default:
    if (const auto *C = dyn_cast<CastExpr>(E))
      return converted(C);
    return unknown(E);
  }
}

RunValue ThreadEvaluator::choice(const ConditionalOperator *C) {
  RunValue Test = value(C->getCond());
  if (!Test.isNumber())
    return unknown(C);
  RunValue V = value(Test.Number ? C->getTrueExpr() : C->getFalseExpr());
  V.Sampled |= Test.Sampled;
  return V;
}

/// What is read from an lvalue.
RunValue ThreadEvaluator::loaded(const Expr *From) {
  const Expr *X = From->IgnoreParens();
  if (const auto *P = dyn_cast<PseudoObjectExpr>(X))
    return builtin(P);
  if (Watched.count(X)) {
    report(X, X);
    return {};
  }
  // `++stage == Stages`
  if (const auto *U = dyn_cast<UnaryOperator>(X);
      U && U->isIncrementDecrementOp() && changeable(U->getSubExpr()))
    return step(U);
  const auto *D = dyn_cast<DeclRefExpr>(X);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V) {
    if (!changedBy(From).empty() || mayStore(From))
      place(From);
    return held(X);
  }
  if (!V->hasLocalStorage() || V->isConstexpr())
    if (auto N = constant(X))
      return RunValue::of(*N);
  // What a reference names is memory of some kind.
  return V->getType()->isReferenceType() ? RunValue() : variable(V);
}

RunValue ThreadEvaluator::converted(const CastExpr *C) {
  const Expr *E = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_LValueToRValue:
    return loaded(E);
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
    return Numbers.fitted(value(E), C->getType());
  case CK_IntegralToBoolean: {
    RunValue V = value(E);
    V.Number = V.isNumber() ? V.Number != 0 : V.Number;
    return V.isNumber() ? V : RunValue();
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return E->isGLValue() ? place(E) : value(E);
  case CK_ArrayToPointerDecay:
    return place(E);
  case CK_ToVoid:
    evaluate(E);
    return {};
  default:
    return unknown(E);
  }
}

void ThreadEvaluator::report(const Expr *What, const Expr *At) {
  RunValue Place = place(At);
  Missed |= !Place.isAddress();
  if (Place.isAddress() && !Invalid && Report && !LooksBack)
    (*Report)(What, Place);
}

RunValue ThreadEvaluator::assign(const Expr *Store, const Expr *To,
                                 const Expr *From) {
  if (Watched.count(Store)) {
    report(Store, To);
    if (!changedBy(From).empty() || mayStore(From))
      value(From);
    return {};
  }
  const auto *D = dyn_cast<DeclRefExpr>(To->IgnoreParens());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  RunValue X = From->isGLValue() ? RunValue() : value(From);
  if (V && V->hasLocalStorage() && !V->getType()->isReferenceType()) {
    if (!LooksBack)
      set(V, X);
    return X;
  }
  if (!LooksBack && holds(To))
    hold(To, X);
  else
    forget(To);
  return X;
}

RunValue ThreadEvaluator::logical(const BinaryOperator *B) {
  const Expr *R = B->getRHS();
  RunValue X = value(B->getLHS());
  const bool Ends = B->getOpcode() == BO_LOr;
  if (!X.isNumber()) {
    // The other side may decide alone; it may not be run.
    if (!changedBy(R).empty() || mayStore(R) || Invalid)
      return unknown(B);
    const bool Was = Invalid;
    RunValue Y = value(R);
    Invalid = Was;
    return Y.isNumber() && (Y.Number != 0) == Ends ? Y : RunValue();
  }
  if ((X.Number != 0) == Ends)
    return X;
  RunValue Y = value(R);
  Y.Sampled |= X.Sampled;
  return Y;
}

/// What an address of that type counts in: one that is a number counts bytes.
QualType ThreadEvaluator::steppedBy(QualType Address) const {
  return Address->isPointerType() ? Address->getPointeeType()
                                  : QualType(Context.CharTy);
}

RunValue ThreadEvaluator::compound(const CompoundAssignOperator *C) {
  const VarDecl *V = changeable(C->getLHS());
  const bool Part = !V && !LooksBack && holds(C->getLHS());
  if (!V && !Part) {
    if (!mayStore(C->getRHS()) || C->getRHS()->isGLValue())
      return unknown(C);
    value(C->getRHS());
    return unknown(C->getLHS());
  }
  const QualType Type = C->getLHS()->getType();
  auto become = [&](const RunValue &X) {
    if (Part)
      hold(C->getLHS(), X);
    else
      set(V, X);
    return X;
  };
  RunValue Old = Part ? held(C->getLHS()->IgnoreParens()) : variable(V),
           By = value(C->getRHS());
  const BinaryOperatorKind Op =
      BinaryOperator::getOpForCompoundAssignment(C->getOpcode());
  if (Type->isPointerType() || (Old.isAddress() && C->isAdditiveOp(Op)))
    return become(Numbers.moved(Old, By, steppedBy(Type), Op == BO_Sub));
  QualType Of = C->getComputationLHSType();
  RunValue X = Numbers.computed(Op, Numbers.fitted(Old, Of), By,
                                C->getComputationResultType(), Of);
  return become(Numbers.fitted(X, Type));
}

RunValue ThreadEvaluator::binary(const BinaryOperator *B) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  if (B->getOpcode() == BO_Assign)
    return assign(B, L, R);
  if (B->getOpcode() == BO_Comma) {
    evaluate(L);
    return R->isGLValue() ? place(R) : value(R);
  }
  if (B->isLogicalOp())
    return logical(B);
  if (const auto *C = dyn_cast<CompoundAssignOperator>(B))
    return compound(C);
  RunValue X = value(L), Y = value(R);
  if (X.isAddress() && B->isAdditiveOp())
    return Numbers.moved(X, Y, steppedBy(L->getType()),
                         B->getOpcode() == BO_Sub);
  if (Y.isAddress() && B->getOpcode() == BO_Add)
    return Numbers.moved(Y, X, steppedBy(R->getType()), false);
  return Numbers.computed(B->getOpcode(), X, Y, B->getType(), L->getType());
}

const VarDecl *ThreadEvaluator::changeable(const Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      LooksBack)
    return nullptr;
  return V;
}

RunValue ThreadEvaluator::step(const UnaryOperator *U) {
  const Expr *Of = U->getSubExpr();
  const VarDecl *V = changeable(Of);
  const bool Part = !V && !LooksBack && holds(Of);
  if (!V && !Part)
    return unknown(U);
  const QualType Type = Of->getType();
  RunValue Old = Part ? held(Of->IgnoreParens()) : variable(V), New;
  if (Type->isPointerType())
    New = Numbers.moved(Old, RunValue::of(1), Type->getPointeeType(),
                        U->isDecrementOp());
  else
    New = Numbers.computed(U->isDecrementOp() ? BO_Sub : BO_Add, Old,
                           RunValue::of(1), Type, Type);
  if (Part)
    hold(Of, New);
  else
    set(V, New);
  return U->isPostfix() ? Old : New;
}

RunValue ThreadEvaluator::unary(const UnaryOperator *U) {
  const Expr *E = U->getSubExpr();
  if (U->isIncrementDecrementOp())
    return step(U);
  switch (U->getOpcode()) {
  case UO_AddrOf:
    return place(E);
  case UO_Plus:
    return value(E);
  case UO_Minus:
    return Numbers.computed(BO_Sub, RunValue::of(0), value(E), U->getType(),
                            U->getType());
  case UO_Not:
    return Numbers.computed(BO_Xor, value(E),
                            Numbers.fitted(RunValue::of(-1), U->getType()),
                            U->getType(), U->getType());
  case UO_LNot: {
    RunValue V = value(E);
    return V.isNumber() ? RunValue::of(!V.Number, V.Sampled) : RunValue();
  }
  case UO_Extension:
    return value(E);
  default:
    return unknown(U);
  }
}

} // namespace kpipe
