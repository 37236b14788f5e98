// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AskedPointer.h.
#include "AskedPointer.h"
#include "Code/AstUtils.h"

using namespace clang;

namespace kpipe {

const Expr *askedPointer(const Expr *E, const ASTContext &Context) {
  const auto *Equal = dyn_cast<BinaryOperator>(E);
  if (!Equal || Equal->getOpcode() != BO_EQ)
    return nullptr;
  const auto *Rest =
      dyn_cast<BinaryOperator>(Equal->getLHS()->IgnoreParenImpCasts());
  const auto *Cast =
      Rest && Rest->getOpcode() == BO_Rem
          ? dyn_cast<CastExpr>(Rest->getLHS()->IgnoreParenImpCasts())
          : nullptr;
  if (!Cast || Cast->getCastKind() != CK_PointerToIntegral)
    return nullptr;
  return constantValue(Rest->getRHS(), Context) == 16 &&
                 constantValue(Equal->getRHS(), Context) == 0
             ? Cast->getSubExpr()
             : nullptr;
}

} // namespace kpipe
