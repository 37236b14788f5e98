// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CutLoops.h. The first turn that is left out is put into the indices of
// each store, with the least that anything else can be.

#include "CutLoops.h"
#include "Validation/Trees/SideEffects.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>

using namespace clang;

namespace kpipe {

namespace {

const Expr *plain(const Expr *E) {
  while (const auto *F = dyn_cast_or_null<FullExpr>(E ? E->IgnoreParens() : E))
    E = F->getSubExpr();
  return E ? E->IgnoreParens() : E;
}

std::optional<int64_t> constant(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult R;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(R, Context) ||
      !R.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return R.Val.getInt().getExtValue();
}

/// An index when the loop's variable is At, and all that is added to it 0.
std::optional<int64_t> indexAt(const Expr *E, const VarDecl *I, int64_t At,
                               const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (auto Value = constant(E, Context))
    return Value;
  if (const auto *D = dyn_cast<DeclRefExpr>(E); D && D->getDecl() == I)
    return At;
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B)
    return std::nullopt;
  auto L = indexAt(B->getLHS(), I, At, Context),
       R = indexAt(B->getRHS(), I, At, Context);
  if (B->getOpcode() == BO_Add && (L || R)) {
    int64_t Sum = L.value_or(0) + R.value_or(0);
    return B->getType()->isUnsignedIntegerType() &&
                   Context.getIntWidth(B->getType()) == 32
               ? int64_t(uint32_t(Sum))
               : Sum;
  }
  if (B->getOpcode() == BO_Mul && L && R)
    return *L * *R;
  if (B->getOpcode() == BO_Div && L && R && *R > 0)
    return *L / *R;
  return std::nullopt;
}

/// The array that a pointer is to the first element of, by its own name or by
/// that of a pointer that is never changed.
const Expr *arrayOf(const Expr *E, const ASTContext &Context,
                    const VariableChanges &Changes) {
  E = E->IgnoreParenImpCasts();
  for (unsigned Deep = 0; Deep != 16; ++Deep) {
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    const bool Keeps =
        V && V->getType()->isPointerType() && V->hasLocalStorage() &&
        !isa<ParmVarDecl>(V) && V->getInit() &&
        !llvm::is_contained(Changes.Captured, V) &&
        llvm::none_of(Changes.Found, [&](const DeclRefExpr *Changed) {
          return Changed->getDecl() == V;
        });
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
      E = C->getSubExpr();
    else if (Keeps)
      E = V->getInit();
    else if (U && U->getOpcode() == UO_AddrOf)
      E = U->getSubExpr();
    else if (A && constant(A->getIdx(), Context) == 0 &&
             A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = A->getBase();
    else
      break;
    E = E->IgnoreParenImpCasts();
  }
  return E;
}

/// Is a place behind the end of one of its arrays, when the variable is At?
bool isBehindEnd(const Expr *Place, const VarDecl *I, int64_t At,
                 const ASTContext &Context, const VariableChanges &Changes) {
  const Expr *E = Place->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = A->getBase()->IgnoreParenImpCasts();
    const Expr *Array = Base->getType()->isConstantArrayType()
                            ? Base
                            : arrayOf(Base, Context, Changes);
    auto Index = indexAt(A->getIdx(), I, At, Context);
    if (Array->getType()->isConstantArrayType() && Index &&
        *Index * Context.getTypeSizeInChars(A->getType()).getQuantity() >=
            Context.getTypeSizeInChars(Array->getType()).getQuantity())
      return true;
    E = Base;
  }
  return false;
}

} // namespace

bool mayBeCut(const CopyLoop &L, const Tree &For, const TileLoop &Loop,
              const CallExpr *Within, const ASTContext &Context) {
  const auto *F = cast<ForStmt>(For.Origin);
  auto Step = L.Step ? constant(L.Step, Context) : std::optional<int64_t>(1);
  if (!Step && L.BlockAxes) {
    Step = 1;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      *Step *= L.BlockAxes >> Axis & 1 ? L.Block[Axis] : 1;
  }
  const auto *Cond =
      dyn_cast<BinaryOperator>(F->getCond()->IgnoreParenImpCasts());
  if (!Step || *Step <= 0 || !Cond ||
      (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE) ||
      Context.getIntWidth(L.Index->getType()) < 32)
    return false;
  // A bound that goes down and up again would let later turns run.
  bool Varies = false, Seen = false;
  eachNode(For.kid(2), [&](const Tree &T) {
    if (T.is("DeclRefExpr") && T.Of == L.Index)
      Varies |= std::exchange(Seen, true);
  });
  if (Varies)
    return false;
  const int64_t Behind =
      constant(L.Init, Context).value_or(0) + int64_t(L.Trips) * *Step;
  llvm::SmallPtrSet<const Decl *, 4> Own;
  eachNode(For, [&](const Tree &T) {
    if (T.is("Var") && T.Of)
      Own.insert(T.Of);
  });
  // What the condition asks for is the same in each turn.
  llvm::SmallPtrSet<const Decl *, 4> Asked;
  eachNode(For.kid(2), [&](const Tree &T) {
    if (T.is("DeclRefExpr") && T.Of != L.Index)
      Asked.insert(T.Of);
  });
  const VariableChanges Changes = changesIn(Loop.Function->getBody());
  bool May = true;
  eachNode(For.kid(4), [&](const Tree &T) {
    if (!T.Origin || !hasOwnEffect(T.Origin))
      return;
    for (const TileCopy &C : Loop.Copies)
      for (const Expr *Store : {C.Store, C.FillStore}) {
        if (C.HelperCall != Within || !Store || plain(Store) != T.Origin)
          continue;
        const Expr *Place = isa<BinaryOperator>(plain(Store))
                                ? cast<BinaryOperator>(plain(Store))->getLHS()
                                : C.Dst;
        May &= isBehindEnd(Place, L.Index, Behind, Context, Changes);
        return;
      }
    const VarDecl *V = changedByName(T.Origin);
    May &= V && Own.contains(V->getCanonicalDecl()) && !Asked.contains(V);
  });
  return May;
}

} // namespace kpipe
