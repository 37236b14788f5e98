// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that change no value, see Sugar.h.
#include "Sugar.h"
#include "AstUtils.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

const Expr *withoutSugar(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = E->IgnoreParens();
    if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *T = dyn_cast<CXXBindTemporaryExpr>(E))
      E = T->getSubExpr();
    else if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = S->getReplacement();
    if (E == Before)
      return E;
  }
}

const Expr *evaluated(const Expr *E) {
  E = withoutSugar(E);
  while (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    E = withoutSugar(D->getExpr());
  return E;
}

bool flipsParity(const Expr *E, const VarDecl *V, const ASTContext &Context) {
  auto isV = [V](const Expr *Side) {
    const auto *D = dyn_cast<DeclRefExpr>(Side->IgnoreParenCasts());
    return D && D->getDecl() == V;
  };
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenCasts());
  if (!B || !isV(B->getLHS()))
    return false;
  const Expr *R = B->getRHS()->IgnoreParenCasts();
  if (B->getOpcode() == BO_XorAssign)
    return constantValue(R, Context) == 1;
  if (B->getOpcode() != BO_Assign)
    return false;
  if (const auto *U = dyn_cast<UnaryOperator>(R))
    return U->getOpcode() == UO_LNot && isV(U->getSubExpr());
  const auto *X = dyn_cast<BinaryOperator>(R);
  if (!X)
    return false;
  if (X->getOpcode() == BO_Xor)
    return isV(X->getLHS()) && constantValue(X->getRHS(), Context) == 1;
  return X->getOpcode() == BO_Sub && isV(X->getRHS()) &&
         constantValue(X->getLHS(), Context) == 1;
}

} // namespace kpipe
