// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a read beside sums of a store, see StoreBounds.h.

#include "StoreBounds.h"
#include "Code/AstUtils.h"
#include "Code/SpecialRegisters.h"
#include "Code/Sugar.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Is S negative because it is made of negative sums, each some times?
/// `c * D + d < D * n`, as `c < n` and `d < D`.
static bool isNegative(const Sum &S, llvm::ArrayRef<Sum> Below,
                       unsigned Deep = 3) {
  if (!S.Known || S.Terms.empty() || !Deep)
    return S.Known && S.Terms.empty() && S.Constant < 0;
  return llvm::any_of(Below, [&](const Sum &B) {
    return llvm::any_of(B.Terms, [&](const auto &Term) {
      auto Met = S.Terms.find(Term.first);
      if (Met == S.Terms.end() || Met->second % Term.second != 0)
        return false;
      const int64_t Times = Met->second / Term.second;
      // B is -1 at most.
      Sum Rest = add(S, B, -Times);
      Rest.Constant -= Times;
      return Times > 0 && isNegative(Rest, Below, Deep - 1);
    });
  });
}

static bool isSame(const Sum &A, const Sum &B) {
  const Sum Apart = add(A, B, -1);
  return Apart.Known && Apart.Terms.empty() && Apart.Constant == 0;
}

unsigned StoreBounds::widthOf(const BinaryOperator *Test) const {
  return Facts.In->context().getIntWidth(Test->getLHS()->getType());
}

std::vector<Sum> StoreBounds::differencesOf(llvm::ArrayRef<Comparison> Held,
                                            const Surrounding &Around) {
  std::vector<Sum> Below;
  for (const Comparison &C : Held) {
    const Turns Loops = Around.around(C.Loops);
    const SteadySum Less = Sums.of(C.Less, Loops),
                    More = times(Sums.of(C.More, Loops), C.Times);
    if (Less.isExact() && More.isExact())
      Below.push_back(
          add(add(Less.Of, More.Of, -1), Sum::constant(-int64_t(C.OrEqual))));
  }
  return Below;
}

bool StoreBounds::isStored(const StoreBound &Want, const SteadySum &At,
                           bool Modular, llvm::ArrayRef<Comparison> Held,
                           llvm::ArrayRef<Sum> Below,
                           const Surrounding &Around) {
  return (Want.Exact && At.isExact() &&
          isNegative(add(add(Want.Base, At.Of), Want.Bound, -1), Below)) ||
         (Modular && llvm::any_of(Held, [&](const Comparison &C) {
            return follows(Want, At, C, Around);
          }));
}

/// Does Less < More, which holds, say that the element At is stored?
bool StoreBounds::follows(const StoreBound &Want, const SteadySum &At,
                          const Comparison &C, const Surrounding &Around) {
  const Turns Loops = Around.around(C.Loops);
  const SteadySum Less = Sums.of(C.Less, Loops),
                  More = times(Sums.of(C.More, Loops), C.Times);
  const Sum Place = add(Want.Base, At.Of);
  if (!At.isModular() || !Less.isModular() || !Place.Known)
    return false;
  const bool Alike = isSigned(C.Test) == isSigned(Want.Test) &&
                     widthOf(C.Test) == widthOf(Want.Test);
  if (!isSigned(C.Test) && Alike && !C.OrEqual &&
      (isSameQuestion(Want, Place, C, Around) ||
       // Or with the rest of a bound that the loop is still below.
       (More.isModular() && isSame(Less.Of, At.Of) &&
        isSame(More.Of, add(Want.Bound, Want.Base, -1)) && loopIsBelow(Want))))
    return true;
  if (!Less.isExact() || !More.isExact() || !At.isExact())
    return false;
  // Place - Bound is no more than Less - More, which is less than 0.
  const Sum Apart =
      add(add(Place, Want.Bound, -1), add(Less.Of, More.Of, -1), -1);
  if (!Apart.Known || !Apart.Terms.empty() || Apart.Constant + C.OrEqual > 0)
    return false;
  if (Want.Exact)
    return true;
  // The store's test may wrap around, if what it is asked for is not negative
  // and less than an int, or the same int that the read asks for; a signed one
  // if it is no less than an int can be. Below zero an unsigned test for an int
  // says no.
  if (!Want.BoundIsExact || widthOf(Want.Test) != 32)
    return false;
  if (isSigned(Want.Test))
    return isAnInt(Want.Base) || Sums.isNeverNegative(Want.Base) ||
           (widthOf(C.Test) == 32 && isSame(Less.Of, Place));
  return Sums.isNeverNegative(Want.Base) ||
         (Want.BoundType->isSignedIntegerType() && isAnInt(Want.Base) &&
          growsFromBlock(Want.Base));
}

/// The same question, put with the same numbers, which become unsigned ones.
bool StoreBounds::isSameQuestion(const StoreBound &Want, const Sum &Place,
                                 const Comparison &C,
                                 const Surrounding &Around) {
  const Turns Loops = Around.around(C.Loops);
  const Expr *Most = asSigned(C.More);
  const SteadySum More = times(Sums.of(Most, Loops), C.Times);
  return More.isModular() &&
         Facts.In->context().hasSameUnqualifiedType(Most->getType(),
                                                    Want.BoundType) &&
         isSame(Sums.of(C.Less, Loops).Of, Place) &&
         isSame(More.Of, Want.Bound);
}

const Expr *StoreBounds::asSigned(const Expr *E) const {
  const auto *C = dyn_cast<ImplicitCastExpr>(evaluated(E));
  const ASTContext &Context = Facts.In->context();
  return C && C->getCastKind() == CK_IntegralCast &&
                 C->getSubExpr()->getType()->isSignedIntegerType() &&
                 C->getType()->isUnsignedIntegerType() &&
                 Context.getIntWidth(C->getType()) >=
                     Context.getIntWidth(C->getSubExpr()->getType())
             ? C->getSubExpr()
             : E;
}

/// A variable of 32 bits, and nothing that makes it less.
bool StoreBounds::isAnInt(const Sum &S) const {
  return S.Known && S.Constant >= 0 && S.Terms.size() == 1 &&
         S.Terms.begin()->second == 1 &&
         Sums.isVariable(S.Terms.begin()->first, 32);
}

/// `blockIdx.x * T`, in unsigned numbers.
static bool isOfBlockAlone(const Expr *E, Values &Known) {
  E = E->IgnoreParenImpCasts();
  if (auto Value = Known.evaluate(E))
    return *Value >= 0;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return (B->getOpcode() == BO_Add || B->getOpcode() == BO_Mul) &&
           isOfBlockAlone(B->getLHS(), Known) &&
           isOfBlockAlone(B->getRHS(), Known);
  const auto R = specialRegister(E);
  return R && R->isOf("blockIdx");
}

/// Does Base begin where the block does, and become more in each tile of the
/// only run of the loop? It is below zero in blocks that only a grid of 2^31
/// elements has; and an element for which it was too small has not been stored
/// at all.
bool StoreBounds::growsFromBlock(const Sum &Base) {
  const auto *First = dyn_cast_or_null<DeclStmt>(Facts.Tile.Init);
  Values Known(Facts.In->context());
  return Base.Known && !Facts.InOuterLoop && First && First->isSingleDecl() &&
         isa<VarDecl>(First->getSingleDecl()) &&
         cast<VarDecl>(First->getSingleDecl())->hasInit() &&
         isOfBlockAlone(cast<VarDecl>(First->getSingleDecl())->getInit(),
                        Known) &&
         Facts.Tile.Function->hasAttr<CUDAGlobalAttr>() && Sums.onlyGrows(Base);
}

/// The loop runs while Base < Bound, asked as the store asks.
bool StoreBounds::loopIsBelow(const StoreBound &Want) {
  if (!Facts.Tile.Cond)
    return false;
  auto C = comparisonOf({Facts.Tile.Cond, true, 0});
  if (!C || C->OrEqual || isSigned(C->Test) ||
      widthOf(C->Test) != widthOf(Want.Test))
    return false;
  const SteadySum Less = Sums.of(C->Less, {}), More = Sums.of(C->More, {});
  return Less.isModular() && More.isModular() && isSame(Less.Of, Want.Base) &&
         isSame(More.Of, Want.Bound);
}

bool StoreBounds::isAllOf(const StoreBound &Want, int64_t Extent) {
  const Sum Room = add(Want.Bound, Want.Base, -1);
  return Extent > 0 && Want.Exact && Room.Known && Room.Terms.empty() &&
         Room.Constant >= Extent / Want.RowLength &&
         Extent % Want.RowLength == 0;
}

} // namespace kpipe
