// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever the order: a variable that is given a product anywhere may hold it
// everywhere. See KeptProducts.h.
#include "KeptProducts.h"
#include "SeenCalls.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const BinaryOperator *writtenProduct(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus))
    return writtenProduct(U->getSubExpr());
  const auto *B = dyn_cast<BinaryOperator>(E);
  return B && B->getOpcode() == BO_Mul && B->getType()->isRealFloatingType()
             ? B
             : nullptr;
}

/// -0.0 is what a sum with it is simplified for.
static bool isNonZeroLiteral(const Expr *E) {
  const auto *L = dyn_cast<FloatingLiteral>(E->IgnoreParenImpCasts());
  return L && !L->getValue().isZero();
}

/// Compilers know what it holds, -0.0 perhaps.
bool KeptProducts::isConstant(const VarDecl *V) const {
  QualType T = V->getType().getNonReferenceType();
  const Expr *Init = V->getAnyInitializer();
  return Init && T.isConstant(V->getASTContext()) && mayBe(Init);
}

static bool isSum(const BinaryOperator *B) {
  return B->isAdditiveOp() || B->getOpcode() == BO_AddAssign ||
         B->getOpcode() == BO_SubAssign;
}

bool KeptProducts::mayBe(const Expr *E) const {
  E = E->IgnoreParens();
  if (!E->getType()->isRealFloatingType() && !E->getType()->isRecordType() &&
      !E->getType()->isArrayType())
    return false;
  if (isa<FloatingLiteral, ImplicitValueInitExpr>(E))
    return false;
  if (const VarDecl *V = namedStorage(E))
    return isOwnStorage(V) ? Vars.count(V) : isConstant(V);
  if (isa<ArraySubscriptExpr, MemberExpr>(E))
    return false; // through a pointer: the body stores nothing there
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_LValueToRValueBitCast ||
           (!C->getSubExpr()->getType()->isIntegralOrEnumerationType() &&
            mayBe(C->getSubExpr()));
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Minus)
      return !isNonZeroLiteral(U->getSubExpr());
    return U->getOpcode() != UO_Deref;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !isSum(B) &&
           (B->getOpcode() != BO_Assign || mayBe(B->getRHS()));
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return llvm::any_of(L->inits(),
                        [&](const Expr *Part) { return mayBe(Part); });
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return !C->getConstructor()->isTrivial() ||
           llvm::any_of(C->arguments(),
                        [&](const Expr *Part) { return mayBe(Part); });
  if (const auto *C = dyn_cast<CallExpr>(E))
    if (const FunctionDecl *F = C->getDirectCallee())
      return !isOpaque(F) &&
             (!handsOn(F) ||
              llvm::any_of(C->arguments(),
                           [&](const Expr *A) { return mayBeBits(A); }));
  return true;
}

/// An integer may hold the bits of one: by a union, by __float_as_int.
bool KeptProducts::mayBeBits(const Expr *E) const {
  E = E->IgnoreParenImpCasts();
  if (!E->getType()->isIntegralOrEnumerationType())
    return mayBe(E);
  if (const VarDecl *V = namedStorage(E))
    return isOwnStorage(V) || isConstant(V);
  const auto *C = dyn_cast<CallExpr>(E);
  return !isa<ArraySubscriptExpr>(E) &&
         !(C && C->getDirectCallee() && isOpaque(C->getDirectCallee()));
}

KeptProducts::KeptProducts(const FloatCode &Code) {
  for (bool More = true; More;) {
    More = false;
    for (const GivenValue &G : Code.Given)
      if (mayBe(G.Value))
        More |= Vars.insert(G.Var).second;
  }
}

} // namespace kpipe
