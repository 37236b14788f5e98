// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops around copies: how many registers a thread needs to hold what
// such a loop loads.

#include "Copies.h"
#include "LoopHeader.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

const VarDecl *variable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// Provably not below zero: thread and block indices, constants, and what is
/// made of them without subtraction.
bool nonNegative(const Expr *E, const ASTContext &Context, unsigned Depth = 0) {
  E = E->IgnoreParenCasts();
  if (Depth > 8)
    return false;
  if (auto V = constantValue(E, Context))
    return *V >= 0;
  if (isa<PseudoObjectExpr>(E))
    return true; // threadIdx.x and its kin are unsigned
  if (const VarDecl *V = variable(E))
    return V->hasInit() && !isa<ParmVarDecl>(V) &&
           (V->getType().isConstQualified() || V->getType()->isIntegerType()) &&
           nonNegative(V->getInit(), Context, Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    switch (B->getOpcode()) {
    case BO_Add:
    case BO_Mul:
    case BO_Div:
    case BO_Rem:
    case BO_Shr:
    case BO_Shl:
      return nonNegative(B->getLHS(), Context, Depth + 1) &&
             nonNegative(B->getRHS(), Context, Depth + 1);
    case BO_And:
      return nonNegative(B->getLHS(), Context, Depth + 1) ||
             nonNegative(B->getRHS(), Context, Depth + 1);
    default:
      return false;
    }
  return false;
}

} // namespace

CopyLoop describeCopyLoop(const ForStmt *F, const Scope &In) {
  const ASTContext &Context = In.context();
  CopyLoop L;
  L.For = F;
  const auto *Decl = dyn_cast_or_null<DeclStmt>(F->getInit());
  if (!Decl || !Decl->isSingleDecl() || !F->getCond() || !F->getInc())
    return L;
  L.Index = dyn_cast<VarDecl>(Decl->getSingleDecl());
  if (!L.Index || !L.Index->hasInit() ||
      updatedVariable(F->getInc()) != L.Index)
    return L;
  L.Init = L.Index->getInit();

  int64_t Step = 0;
  const Expr *Inc = F->getInc()->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Inc)) {
    Step = U->isIncrementOp() ? 1 : 0;
  } else if (const auto *B = dyn_cast<BinaryOperator>(Inc)) {
    if (B->getOpcode() == BO_AddAssign)
      L.Step = B->getRHS();
    else if (const auto *Sum =
                 dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
             Sum && B->getOpcode() == BO_Assign && Sum->getOpcode() == BO_Add &&
             variable(Sum->getLHS()) == L.Index)
      L.Step = Sum->getRHS();
    if (L.Step)
      Step = constantValue(L.Step, Context).value_or(0);
  }
  const auto *Cond = dyn_cast<BinaryOperator>(F->getCond()->IgnoreParenImpCasts());
  if (!Cond || Step <= 0)
    return L;
  const Expr *Left = Cond->getLHS();
  L.Bound = Cond->getRHS();
  int64_t Slack = 0;
  if (variable(Left) == L.Index) {
    if (Cond->getOpcode() == BO_LT || Cond->getOpcode() == BO_NE) {
      L.Compare = CopyLoop::Test::Less;
    } else if (Cond->getOpcode() == BO_LE) {
      L.Compare = CopyLoop::Test::LessEqual;
      Slack = 1;
    } else {
      return L;
    }
  } else {
    const auto *Sum = dyn_cast<BinaryOperator>(Left->IgnoreParenImpCasts());
    if (!Sum || Sum->getOpcode() != BO_Add || Cond->getOpcode() != BO_LE ||
        variable(Sum->getLHS()) != L.Index ||
        constantValue(Sum->getRHS(), Context) != Step)
      return L;
    L.Compare = CopyLoop::Test::StepFits;
    Slack = 1 - Step;
  }
  auto Bound = constantValue(L.Bound, Context);
  auto Init = constantValue(L.Init, Context);
  if (!Bound)
    return L;
  L.ConstantInit = Init.has_value();
  L.ConstantInitIsZero = Init == 0;
  if (!Init && (Cond->getOpcode() == BO_NE ||
                L.Compare != CopyLoop::Test::Less ||
                !nonNegative(L.Init, Context)))
    return L;
  int64_t Span = *Bound + Slack - Init.value_or(0);
  if (Cond->getOpcode() == BO_NE && Span % Step != 0)
    return L;
  L.Trips = Span > 0 ? (Span + Step - 1) / Step : 0;
  return L;
}

} // namespace kpipe
