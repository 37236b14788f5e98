// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes as the compiler's header makes them, see BlockAxes.h.
#include "BlockAxes.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

std::optional<unsigned> axesOfBlock(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const auto Left = axesOfBlock(B->getLHS()), Right = axesOfBlock(B->getRHS());
    return B->getOpcode() == BO_Mul && Left && Right
               ? std::optional(*Left + *Right)
               : std::nullopt;
  }
  const auto *P = dyn_cast<PseudoObjectExpr>(E);
  const auto *M =
      P && isSpecialRegister(P)
          ? dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens())
          : nullptr;
  const Expr *Base = M ? M->getBaseExpr() : nullptr;
  while (const auto *O = dyn_cast_or_null<OpaqueValueExpr>(Base))
    Base = O->getSourceExpr();
  const auto *D =
      dyn_cast_or_null<DeclRefExpr>(Base ? Base->IgnoreParenImpCasts() : Base);
  if (!D || cast<NamedDecl>(D->getDecl())->getName() != "blockDim")
    return std::nullopt;
  return 1;
}

} // namespace kpipe
