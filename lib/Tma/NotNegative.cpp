// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the form of the expression, see NotNegative.h.
#include "NotNegative.h"
#include "Boxes/Changes.h"
#include "Boxes/Offsets.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool NotNegative::has(const Expr *E) {
  if (Depth == MostDepth)
    return false;
  ++Depth;
  const bool Found = ask(withoutSugar(E));
  --Depth;
  return Found;
}

bool NotNegative::ask(const Expr *E) {
  const ASTContext &Context = Facts.In->context();
  if (!E->getType()->isIntegralOrEnumerationType())
    return false;
  if (std::optional<int64_t> N = Known.evaluate(E))
    return *N >= 0 && *N <= INT32_MAX;
  // What may not fit its type any more can be anything.
  if (const auto *C = dyn_cast<CastExpr>(E))
    return (C->getCastKind() == CK_LValueToRValue ||
            C->getCastKind() == CK_NoOp ||
            (C->getCastKind() == CK_IntegralCast &&
             Context.getIntWidth(E->getType()) >= 32)) &&
           has(C->getSubExpr());
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return isSpecialRegister(P);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && has(V);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return has(C->getTrueExpr()) && has(C->getFalseExpr());
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B)
    return false;
  switch (B->getOpcode()) {
  case BO_Add:
  case BO_Mul:
  case BO_Div:
  case BO_Rem:
  case BO_Shr:
  case BO_Shl:
    return has(B->getLHS()) && has(B->getRHS());
  case BO_And:
    return has(B->getLHS()) || has(B->getRHS());
  default:
    return false;
  }
}

bool NotNegative::has(const VarDecl *V) {
  if (V->getType()->isReferenceType() || !V->hasInit() || isa<ParmVarDecl>(V) ||
      !has(V->getInit()))
    return false;
  return Known.unchanged(V) || ofLoop(V);
}

/// A variable of the tile loop's header that only goes up.
bool NotNegative::ofLoop(const VarDecl *V) {
  if (llvm::none_of(Facts.Tile.HeaderVars,
                    [&](const HeaderVar &H) { return H.Var == V; }))
    return false;
  auto Changes = changesOf(V, Facts.Tile.Function->getBody());
  return Changes && llvm::all_of(*Changes, [&](const Expr *Change) {
           const auto *U = dyn_cast<UnaryOperator>(withoutSugar(Change));
           if (U)
             return U->isIncrementOp();
           const Expr *Added = addend(V, Change);
           const auto *B = dyn_cast<BinaryOperator>(withoutSugar(Change));
           return Added && B && B->getOpcode() == BO_AddAssign && has(Added);
         });
}

} // namespace kpipe
