// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GoneStatements.h"
#include "Code/KnownFunctions.h"
#include "MbarrierMeaning.h"
#include "WrittenOutTrees.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

bool isCountingLoop(const Tree &S) {
  const auto *For = dyn_cast_or_null<ForStmt>(S.Origin);
  if (!S.is("ForStmt") || !For || !For->getCond() || !For->getInc())
    return false;
  const auto *D = dyn_cast_or_null<DeclStmt>(For->getInit());
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  const auto *Step = dyn_cast<UnaryOperator>(For->getInc()->IgnoreParens());
  const auto *Name =
      Step ? dyn_cast<DeclRefExpr>(Step->getSubExpr()->IgnoreParens())
           : nullptr;
  size_t Effects = 0;
  for (size_t I = 0; I + 1 < S.Kids.size(); ++I)
    Effects += effectsIn(S.kid(I));
  return V && Step && Step->isIncrementOp() && Name && Name->getDecl() == V &&
         Effects == 1;
}

bool isQuietObject(const Tree &V, const Frame &F) {
  const auto *Var = dyn_cast_or_null<VarDecl>(V.Of);
  if (!Var || !V.is("Var"))
    return false;
  const auto *R = Var->getType()
                      .getNonReferenceType()
                      ->getBaseElementTypeUnsafe()
                      ->getAsCXXRecordDecl();
  std::string Key;
  return (R && isToolkits(R)) || isQuietClosure(V) || (!R && !effectsIn(V)) ||
         (V.Kids.size() == 1 && barrierAt(V.kid(0), F, Key));
}

unsigned steppedBy(const Tree &S) {
  const Tree &T = withoutCasts(S);
  const bool Assigns = T.is("CompoundAssignOperator") ||
                       (T.is("BinaryOperator") && T.Label == "=") ||
                       (T.is("UnaryOperator") && effectsIn(T));
  const auto *V = Assigns ? dyn_cast_or_null<VarDecl>(T.kid(0).Of) : nullptr;
  return V && T.kid(0).is("DeclRefExpr") && V->hasLocalStorage() &&
                 V->getType()->isIntegralOrEnumerationType() &&
                 !V->getType().isVolatileQualified() && effectsIn(T) == 1
             ? T.kid(0).Local
             : 0;
}

} // namespace kpipe
