// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of the header's variables, see SpecialRegisters.h.
#include "SpecialRegisters.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

std::optional<SpecialRegister> specialRegister(const Expr *E) {
  const auto *P = dyn_cast<PseudoObjectExpr>(E);
  if (!P || !isSpecialRegister(P))
    return std::nullopt;
  const auto *Property =
      cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
  const Expr *Vector = Property->getBaseExpr();
  while (const auto *O = dyn_cast<OpaqueValueExpr>(Vector))
    Vector = O->getSourceExpr();
  const auto *D = dyn_cast<DeclRefExpr>(Vector->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const llvm::StringRef Axis = Property->getPropertyDecl()->getName();
  if (!V || V->hasLocalStorage() || Axis.size() != 1 || Axis[0] < 'x' ||
      Axis[0] > 'z')
    return std::nullopt;
  return SpecialRegister{V, unsigned(Axis[0] - 'x')};
}

} // namespace kpipe
