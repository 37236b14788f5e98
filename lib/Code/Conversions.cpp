// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Conversions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace clang;

namespace kpipe {

static const Expr *without(const Expr *E,
                           llvm::function_ref<bool(const CastExpr *)> IsSame) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E)) {
      E = Full->getSubExpr();
    } else if (const auto *Made = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = Made->getSubExpr();
    } else if (const auto *Given = dyn_cast<SubstNonTypeTemplateParmExpr>(E)) {
      E = Given->getReplacement();
    } else if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (!IsSame(C))
        return nullptr;
      E = C->getSubExpr();
    } else {
      return E;
    }
  }
}

const Expr *samePlace(const Expr *E, const ASTContext &Context) {
  return without(E, [&](const CastExpr *C) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_BitCast:
    case CK_ArrayToPointerDecay:
    case CK_AddressSpaceConversion:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
      return true;
    case CK_IntegralCast:
      return Context.getTypeSize(C->getType()) >= 32;
    default:
      return false;
    }
  });
}

const Expr *sameTruth(const Expr *E, const ASTContext &Context) {
  return without(E, [&](const CastExpr *C) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_IntegralToBoolean:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean:
      return true;
    case CK_IntegralCast:
      return C->getSubExpr()->getType()->isBooleanType() ||
             Context.getTypeSize(C->getType()) >=
                 Context.getTypeSize(C->getSubExpr()->getType());
    default:
      return false;
    }
  });
}

} // namespace kpipe
