// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiples of a step, see Multiples.h. An expression is followed to what it is
// made of; arithmetic that could leave a type keeps powers of two alone.

#include "Multiples.h"
#include "KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

bool Multiples::has(const Expr *E) {
  if (!E || Depth == MostDepth || E->isValueDependent())
    return false;
  ++Depth;
  const bool Yes = ask(E->IgnoreParens());
  --Depth;
  return Yes;
}

/// The value of E, parameters of the calls on the way included.
std::optional<int64_t> Multiples::valueOf(const Expr *E) {
  if (std::optional<int64_t> V = Known.evaluate(E))
    return V;
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
    // A number that a cast changes is another one.
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp &&
        C->getCastKind() != CK_IntegralCast)
      return std::nullopt;
    const QualType T = C->getType();
    std::optional<int64_t> V = valueOf(C->getSubExpr());
    return V && T->isIntegerType() && *V >= 0 &&
                   llvm::isUIntN(Context.getIntWidth(T) - 1, *V)
               ? V
               : std::nullopt;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
  auto At = P ? Arguments.find(P) : Arguments.end();
  if (At == Arguments.end() || !Known.unchanged(P))
    return std::nullopt;
  std::optional<int64_t> V = valueOf(At->second);
  return V && *V >= 0 && llvm::isInt<31>(*V) ? V : std::nullopt;
}

bool Multiples::ask(const Expr *E) {
  if (!keepsStep(E->getType()))
    return false;
  if (std::optional<int64_t> V = valueOf(E))
    return *V % int64_t(Step) == 0;
  if (const auto *C = dyn_cast<CastExpr>(E))
    return cast(C);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return variable(dyn_cast<VarDecl>(D->getDecl()));
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus) &&
           has(U->getSubExpr());
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return has(C->getTrueExpr()) && has(C->getFalseExpr());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  return false;
}

bool Multiples::cast(const CastExpr *C) {
  if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp)
    return has(C->getSubExpr());
  // A narrower number is another one, modulo a power of two.
  return C->getCastKind() == CK_IntegralCast &&
         keepsStep(C->getSubExpr()->getType(), C->getType()) &&
         has(C->getSubExpr());
}

bool Multiples::variable(const VarDecl *V) {
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      !Known.unchanged(V))
    return false;
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    auto At = Arguments.find(P);
    return At != Arguments.end() && has(At->second);
  }
  return has(V->getInit());
}

bool Multiples::binary(const BinaryOperator *B) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  switch (B->getOpcode()) {
  case BO_Add:
    return has(L) && has(R);
  case BO_Sub:
    return (has(L) && has(R)) || withoutRest(L, R);
  case BO_Mul:
    return has(L) || has(R);
  case BO_And: // with ones above the step only
    return Wraps && (clears(L) || clears(R));
  case BO_Or:
  case BO_Xor:
    return Wraps && has(L) && has(R);
  case BO_Shl: {
    std::optional<int64_t> By = valueOf(R);
    return Wraps && By && *By >= 0 && *By < 31 &&
           ((uint64_t(1) << *By) % Step == 0 || has(L));
  }
  default:
    return false;
  }
}

bool Multiples::clears(const Expr *E) {
  std::optional<int64_t> V = valueOf(E);
  return (V && uint64_t(*V) % Step == 0) || has(E);
}

/// `n - n % 32`
bool Multiples::withoutRest(const Expr *N, const Expr *Rest) {
  const auto *B = dyn_cast<BinaryOperator>(Rest->IgnoreParenImpCasts());
  const auto *D = dyn_cast<DeclRefExpr>(N->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const auto *O =
      B ? dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts()) : nullptr;
  const bool Remains = B && B->getOpcode() == BO_Rem;
  const bool Masked = B && B->getOpcode() == BO_And;
  if (!V || !O || O->getDecl() != V || !Known.unchanged(V) ||
      !Context.hasSameType(B->getType(), Rest->getType()) ||
      !Context.hasSameUnqualifiedType(V->getType(), B->getType()))
    return false;
  std::optional<int64_t> By = valueOf(B->getRHS());
  return By && *By > 0 &&
         ((Remains && *By % int64_t(Step) == 0) ||
          (Masked && Wraps && uint64_t(*By) + 1 == Step));
}

/// `min` and `max`, and functions that are one expression.
bool Multiples::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
  if (F && F->getIdentifier() && C->getNumArgs() == 2 &&
      (F->getName() == "min" || F->getName() == "max") && isToolkits(F))
    return has(C->getArg(0)) && has(C->getArg(1));
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
  if (!F || (M && M->isVirtual()) || F->isVariadic() || !F->hasBody(Body))
    return false;
  const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
  const auto *R = Block && Block->size() == 1
                      ? dyn_cast<ReturnStmt>(Block->body_front())
                      : nullptr;
  if (!R || !R->getRetValue())
    return false;
  // Twice at once, its parameters would be given two values.
  for (const ParmVarDecl *P : Body->parameters())
    if (P->getType()->isReferenceType() || Arguments.count(P))
      return false;
  if (C->getNumArgs() != Body->getNumParams())
    return false;
  for (unsigned I = 0; I != C->getNumArgs(); ++I)
    Arguments[Body->getParamDecl(I)] = C->getArg(I);
  const bool Yes = has(R->getRetValue());
  for (const ParmVarDecl *P : Body->parameters())
    Arguments.erase(P);
  return Yes;
}

} // namespace kpipe
