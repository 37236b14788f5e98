// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowWraps.h. From a multiple of a power of two on, as many numbers follow
// without a wrap.
#include "RowWraps.h"
#include "Code/AstUtils.h"
#include "FitsInt.h"
#include "NotNegative.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

bool RowWraps::hold(const TileBox &Box, unsigned Row) {
  As.clear();
  for (unsigned Sum = 0; Sum != Box.at(Row, 0).Narrow.size(); ++Sum)
    if (!holds(Box, Row, Sum))
      return false;
  return true;
}

bool RowWraps::holds(const TileBox &Box, unsigned Row, unsigned Sum) {
  const CopiedElement &First = Box.at(Row, 0);
  const NarrowSum &Of = First.Narrow[Sum];
  int64_t Most = 0;
  bool Wraps = Of.MayWrap;
  for (unsigned C = 0; C != Box.Columns; ++C) {
    const std::vector<NarrowSum> &Here = Box.at(Row, C).Narrow;
    if (Here.size() != First.Narrow.size() || !(Here[Sum].As == Of.As))
      return false;
    const auto Further = distance(Here[Sum].Sum, Of.Sum);
    Wraps |= Here[Sum].MayWrap;
    if (Here[Sum].MayWrap && (!Further || *Further < 0))
      return false;
    Most = std::max(Most, Further.value_or(0));
  }
  if (!Wraps)
    return true;
  if (Most && !Aligned.ask(Of.Sum, llvm::NextPowerOf2(Most)))
    return false;
  if (fits(Of, Box))
    return true;
  if (!isWhole(Of, First) || Facts.In->context().getIntWidth(Of.As) != 32)
    return false;
  As = Of.As->isUnsignedIntegerType() ? "unsigned" : "int";
  return true;
}

/// Is it all of the index by which the element is found?
bool RowWraps::isWhole(const NarrowSum &Of, const CopiedElement &First) const {
  const BlockSymbol &Base = At.symbol(First.From.Base);
  QualType T = Base.Var ? Base.Var->getType() : Base.Text->getType();
  T = T->getPointeeType();
  if (T.isNull() || !hasSize(T))
    return false;
  const auto Bytes = multiply(
      Of.Sum, Polynomial::number(
                  Facts.In->context().getTypeSizeInChars(T).getQuantity()));
  return Bytes && *Bytes == First.From.Bytes;
}

/// Is it one number of 0 or more, and fits an int?
bool RowWraps::fits(const NarrowSum &Of, const TileBox &Box) {
  // Of a sum each part may fit, and all of it wrap.
  if (Of.Sum.Terms.size() > 1)
    return false;
  NotNegative Sign(Facts, At.values());
  FitsInt Fits(Facts.In->context(), At, {});
  return llvm::all_of(Of.Sum.Terms,
                      [&](const auto &Term) {
                        return Term.second > 0 &&
                               llvm::all_of(Term.first, [&](unsigned S) {
                                 const BlockSymbol &Of = At.symbol(S);
                                 return Of.Var ? Sign.has(Of.Var)
                                               : Sign.has(Of.Text);
                               });
                      }) &&
         Fits.has(Of.Sum, Box.Rows);
}

} // namespace kpipe
