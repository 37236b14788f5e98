// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes as the compiler's header makes them, see BlockAxes.h.
#include "BlockAxes.h"
#include "SpecialRegisters.h"
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
  const auto R = specialRegister(E);
  return R && R->isOf("blockDim") ? std::optional(1u) : std::nullopt;
}

} // namespace kpipe
