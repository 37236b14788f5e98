// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of numbers with a fraction keep their operator: with a NaN both
// `<` and `>=` are false. See NegatedText.h.
#include "NegatedText.h"

using namespace clang;

namespace kpipe {

bool isScalarCondition(const Expr *Condition) {
  QualType T = Condition->IgnoreImplicit()->getType();
  return !T->isDependentType() && T->isScalarType();
}

static bool comparesExactly(const BinaryOperator *B) {
  auto Exact = [](const Expr *E) {
    QualType T = E->getType();
    return T->isIntegralOrEnumerationType() || T->isPointerType();
  };
  return B->isComparisonOp() && B->getOpcode() != BO_Cmp && Exact(B->getLHS()) &&
         Exact(B->getRHS());
}

std::optional<NegatedText> negated(const Expr *Condition,
                                   const SourceText &Source,
                                   llvm::ArrayRef<TextEdit> Edits) {
  auto Text = [&](Range R) { return Source.edited(R, Edits); };
  const Expr *E = Condition->IgnoreImplicit();
  auto Whole = Source.expression(E);
  if (!isScalarCondition(Condition) || !Whole ||
      Source.at(*Whole).contains('\n') || Source.at(*Whole).contains("//"))
    return std::nullopt;
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && comparesExactly(B)) {
    auto Left = Source.expression(B->getLHS()),
         Right = Source.expression(B->getRHS());
    if (Left && Right && Whole->Begin == Left->Begin && Left->End < Right->Begin &&
        Right->End == Whole->End)
      return NegatedText{
          Text(*Left) + " " +
              BinaryOperator::getOpcodeStr(
                  BinaryOperator::negateComparisonOp(B->getOpcode()))
                  .str() +
              " " + Text(*Right),
          bindingOf(BinaryOperator::negateComparisonOp(B->getOpcode()))};
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_LNot) {
    const Expr *Of = U->getSubExpr()->IgnoreParens()->IgnoreImplicit();
    if (auto Own = Source.expression(Of); Own && isScalarCondition(Of) &&
                                          Whole->Begin < Own->Begin &&
                                          Own->End <= Whole->End)
      return NegatedText{Text(*Own), bindingOf(Of)};
  }
  return NegatedText{"!" +
                         asOperand(Text(*Whole), bindingOf(E), Binding::Unary),
                     Binding::Unary};
}

} // namespace kpipe
