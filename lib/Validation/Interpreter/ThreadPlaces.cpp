// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lvalues as addresses, see ThreadEvaluator.h.

#include "ThreadEvaluator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace kpipe {

/// `xs[0][i]`: a first row's name for the elements of all rows.
bool ThreadEvaluator::isInWhole(const Expr *Row, const RunValue &Base,
                                const RunValue &Index, QualType One) {
  unsigned Rows = 0;
  Row = Row->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(Row)) {
    auto At = constant(A->getIdx());
    if (!At || *At != 0)
      return false;
    Row = A->getBase()->IgnoreParenImpCasts();
    ++Rows;
  }
  const int64_t Byte =
      Base.Number +
      Index.Number * Context.getTypeSizeInChars(One).getQuantity();
  return Rows && isa<DeclRefExpr>(Row) &&
         Row->getType()->isConstantArrayType() && Base.isAddress() &&
         Byte >= 0 &&
         Byte < Context.getTypeSizeInChars(Row->getType()).getQuantity();
}

RunValue ThreadEvaluator::element(const ArraySubscriptExpr *A) {
  RunValue Base = value(A->getBase()), Index = value(A->getIdx());
  if (Base.What == RunValue::Kind::Unknown || !Index.isNumber())
    return {};
  // Outside of its dimension an index has no meaning.
  const auto *Decay = dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
  const auto *Array =
      Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
          ? Context.getAsConstantArrayType(Decay->getSubExpr()->getType())
          : nullptr;
  if (Array &&
      (Index.Number < 0 || uint64_t(Index.Number) >= Array->getZExtSize()) &&
      !isInWhole(Decay->getSubExpr(), Base, Index, A->getType())) {
    Invalid = true;
    return {};
  }
  return Numbers.moved(Base, Index, A->getType(), false);
}

RunValue ThreadEvaluator::member(const MemberExpr *M) {
  const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
  RunValue Base = M->isArrow() ? value(M->getBase()) : place(M->getBase());
  if (!F || !Base.isAddress() || F->isBitField())
    return {};
  Base.Number +=
      Context
          .toCharUnitsFromBits(Context.getASTRecordLayout(F->getParent())
                                   .getFieldOffset(F->getFieldIndex()))
          .getQuantity();
  return Base;
}

RunValue ThreadEvaluator::place(const Expr *E) {
  if (!tick())
    return {};
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return {};
    if (V->getType()->isReferenceType())
      return variable(V);
    return RunValue::addressOf(V);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return element(A);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return member(M);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return value(U->getSubExpr());
    if (U->isIncrementDecrementOp()) {
      unary(U);
      return place(U->getSubExpr());
    }
    return unknown(E);
  }
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast)
      return place(C->getSubExpr());
    return unknown(E);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    RunValue Test = value(C->getCond());
    if (!Test.isNumber())
      return unknown(E);
    return place(Test.Number ? C->getTrueExpr() : C->getFalseExpr());
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      binary(B);
      return isa<DeclRefExpr>(B->getLHS()->IgnoreParens()) ? place(B->getLHS())
                                                           : RunValue();
    }
    if (B->getOpcode() == BO_Comma) {
      B->getLHS()->isGLValue() ? place(B->getLHS()) : value(B->getLHS());
      return place(B->getRHS());
    }
    return unknown(E);
  }
  if (const auto *X = dyn_cast<ExprWithCleanups>(E))
    return place(X->getSubExpr());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  return unknown(E);
}

} // namespace kpipe
