// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of integer expressions as sums, see ExpressionSums.h.
#include "ExpressionSums.h"
#include "Code/AstUtils.h"
#include "Code/Sugar.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

ExpressionSums::ExpressionSums(const LoopFacts &Facts, StoreSite &At)
    : Facts(Facts), At(At), Known(Facts.In->context()) {
  for (unsigned I = 0; I != Facts.Items.size(); ++I)
    if (Facts.Tile.Body[I].InLoad)
      for (const VarDecl *V : Facts.Items[I].Writes)
        if (!Known.unchanged(V))
          Moving.insert(V);
}

bool ExpressionSums::isOutside(const VarDecl *V, const Scope &In) const {
  return !In.caller() &&
         In.context().getSourceManager().isBeforeInTranslationUnit(
             V->getLocation(), Facts.Tile.Loop->getBeginLoc());
}

Ranges ExpressionSums::ranges() {
  Extent3 Axes{1024, 1024, 64};
  for (const FunctionDecl *D : Facts.Tile.Function->redecls())
    if (const auto *L = D->getAttr<CUDALaunchBoundsAttr>())
      if (auto Most = constantValue(L->getMaxThreads(), Facts.In->context());
          Most && *Most > 0 && *Most <= 1024)
        for (unsigned &Axis : Axes)
          Axis = std::min<unsigned>(Axis, *Most);
  Ranges R(Facts.In->context(), Known, Axes);
  for (const auto &[L, In] : At.Around)
    R.enter(L.For);
  return R;
}

void ExpressionSums::bound(const Expr *E, Atom &A) {
  if (auto Found = ranges().of(E)) {
    A.Low = nearZero(Found->Low);
    A.High = nearZero(Found->High);
  }
}

Sum ExpressionSums::of(const Expr *E, const Scope &In) {
  if (At.Depth >= StoreSite::MostDepth)
    return Sum::unknown();
  ++At.Depth;
  Sum S = compute(evaluated(E), In);
  --At.Depth;
  return S;
}

Sum ExpressionSums::compute(const Expr *E, const Scope &In) {
  if (!E->getType()->isIntegralOrEnumerationType())
    return Sum::unknown();
  ASTContext &Context = In.context();
  // `-1u` takes one away.
  if (auto C = Known.evaluate(E))
    return Sum::constant(Context.getIntWidth(E->getType()) == 32
                             ? llvm::SignExtend64<32>(*C)
                             : *C);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = C->getSubExpr();
    // It is the cast that reads.
    if (C->getCastKind() == CK_LValueToRValue)
      return isa<DeclRefExpr>(evaluated(Sub)) ? of(Sub, In) : opaque(E, In);
    if (C->getCastKind() == CK_NoOp)
      return of(Sub, In);
    if (C->getCastKind() == CK_IntegralCast &&
        Context.getIntWidth(C->getType()) >=
            std::min(32u, Context.getIntWidth(Sub->getType())))
      return of(Sub, In);
    return opaque(E, In);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Minus)
      return times(of(U->getSubExpr(), In), -1);
    return U->getOpcode() == UO_Plus ? of(U->getSubExpr(), In) : opaque(E, In);
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B, In);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return variable(V, In);
  return opaque(E, In);
}

Sum ExpressionSums::binary(const BinaryOperator *B, const Scope &In) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  switch (B->getOpcode()) {
  case BO_Add:
    return add(of(L, In), of(R, In));
  case BO_Sub:
    return add(of(L, In), of(R, In), -1);
  case BO_Shl:
    if (auto By = Known.evaluate(R); By && *By >= 0 && *By < 20)
      return times(of(L, In), int64_t(1) << *By);
    return opaque(B, In);
  case BO_Div:
  case BO_Rem:
  case BO_Shr:
  case BO_And:
    return quotient(B, In);
  case BO_Mul:
    return product(B, In);
  case BO_Xor:
    return exclusiveOr(B, In);
  default:
    return opaque(B, In);
  }
}

Sum ExpressionSums::quotient(const BinaryOperator *B, const Scope &In) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  auto By = Known.evaluate(R);
  bool Bits = B->getOpcode() == BO_Shr || B->getOpcode() == BO_And;
  bool Rest = B->getOpcode() == BO_Rem || B->getOpcode() == BO_And;
  if (!By && B->getOpcode() == BO_And)
    if ((By = Known.evaluate(L)))
      std::swap(L, R);
  if (!By || *By < 0)
    return opaque(B, In);
  if (B->getOpcode() == BO_Shr)
    By = *By < 20 ? int64_t(1) << *By : 0;
  else if (B->getOpcode() == BO_And)
    By = llvm::isMask_64(*By) ? *By + 1 : 0;
  Sum X = of(L, In);
  if (*By <= 0 || !X.Known)
    return opaque(B, In);
  return divided(B, X, *By, Rest,
                 Bits || L->getType()->isUnsignedIntegerType());
}

Sum ExpressionSums::divided(const Expr *E, Sum X, int64_t By, bool Rest,
                            bool Bits) {
  Sum Whole, Left; // multiples of By, and what is left
  for (const auto &[Term, Factor] : X.Terms)
    (Factor % By ? Left : Whole).Terms[Term] = Factor;
  (X.Constant % By ? Left : Whole).Constant = X.Constant;
  // Sums that are divided part by part must not round another way.
  bool Split = Atoms.neverNegative(X) && Atoms.neverNegative(Left);
  if (Left.Terms.empty() && Left.Constant == 0)
    Split |= !Bits;
  if (!Split) {
    Left = X;
    Whole = Sum();
  }
  Sum Out;
  if (!Rest)
    for (const auto &[Term, Factor] : Whole.Terms)
      Out.Terms[Term] = Factor / By;
  if (!Rest)
    Out.Constant = Whole.Constant / By;
  if (Left.Terms.empty() && Left.Constant == 0)
    return Out;
  bool Positive = Atoms.neverNegative(Left);
  Atom A;
  A.Kind = Rest ? Atom::Remainder : Atom::Quotient;
  A.Loops = Atoms.loopsOf(Left);
  A.X = Left;
  A.Divisor = By;
  if (Rest) {
    A.Grain = std::max<int64_t>(1, std::gcd(Atoms.grainOf(Left), By));
    // What wraps around keeps its last bits alone.
    if (Bits && !Positive)
      A.Grain &= -A.Grain;
    A.Low = Positive || Bits ? 0 : 1 - By;
    A.High = By - 1;
    if (auto First = Positive ? Atoms.residueOf(Left, A.Grain) : std::nullopt) {
      A.Low = *First;
      A.High = By - A.Grain + *First;
    }
  } else {
    if (!Split || Whole.Terms.empty())
      bound(E, A);
    auto Bounds = Atoms.boundsOf(Left);
    if (!A.isBounded() && Positive && Bounds)
      A.Low = Bounds->first / By, A.High = Bounds->second / By;
    if (int64_t Swing = Atoms.swingOf(Left); Swing >= 0)
      A.Swing = Swing / By + 1;
  }
  // A sum that may be negative, or wraps, is divided by its type's rules.
  std::string Family;
  if (Bits && !Positive) {
    QualType T = cast<BinaryOperator>(E)->getLHS()->getType();
    Family = (T->isUnsignedIntegerOrEnumerationType() ? "bits" : "floor") +
             std::to_string(Facts.In->context().getIntWidth(T));
  }
  return add(Out, Atoms.add("(" + Atoms.keyOf(Left) + ")" + Family +
                                (Rest ? "%" : "/") + std::to_string(By),
                            std::move(A)));
}

Sum ExpressionSums::product(const BinaryOperator *B, const Scope &In) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  Sum X = of(L, In), Y = of(R, In);
  if (Y.Known && Y.Terms.empty())
    return times(X, Y.Constant);
  if (X.Known && X.Terms.empty())
    return times(Y, X.Constant);
  if (!X.Known || !Y.Known)
    return Sum::unknown();
  // By what is never 0, as blockDim.x.
  Atom Factor;
  bound(R, Factor);
  if (!Factor.isBounded() || Factor.Low <= 0) {
    std::swap(X, Y);
    Factor = Atom();
    bound(L, Factor);
  }
  Atom A;
  const bool Positive = Factor.isBounded() && Factor.Low > 0;
  if (Positive && Atoms.neverWraps(X, Factor.High))
    A.Kind = Atom::Product;
  if (int64_t Swing = Atoms.swingOf(X);
      Positive && Swing >= 0 && Atoms.swingOf(Y) == 0)
    A.Swing = nearZero(std::min(Swing, Far >> 20) *
                       std::min<int64_t>(Factor.High, 1 << 20));
  A.X = X;
  A.Y = Y;
  A.Loops = Atoms.loopsOf(X);
  std::set<InnerLoop> More = Atoms.loopsOf(Y);
  A.Loops.insert(More.begin(), More.end());
  bound(B, A);
  return Atoms.add("(" + Atoms.keyOf(X) + ")*(" + Atoms.keyOf(Y) + ")",
                   std::move(A));
}

Sum ExpressionSums::exclusiveOr(const BinaryOperator *B, const Scope &In) {
  Atom A;
  A.Kind = Atom::Xor;
  A.X = of(B->getLHS(), In);
  A.Y = of(B->getRHS(), In);
  if (!A.X.Known || !A.Y.Known)
    return Sum::unknown();
  A.Loops = Atoms.loopsOf(A.X);
  std::set<InnerLoop> More = Atoms.loopsOf(A.Y);
  A.Loops.insert(More.begin(), More.end());
  auto X = Atoms.boundsOf(A.X), Y = Atoms.boundsOf(A.Y);
  if (X && Y && X->first >= 0 && Y->first >= 0 && X->second < MostApart &&
      Y->second < MostApart) {
    A.Low = 0;
    A.High = int64_t(llvm::NextPowerOf2(std::max(X->second, Y->second))) - 1;
  }
  bound(B, A);
  return Atoms.add("(" + Atoms.keyOf(A.X) + ")^(" + Atoms.keyOf(A.Y) + ")",
                   std::move(A));
}

} // namespace kpipe
