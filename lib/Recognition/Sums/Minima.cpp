// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which expressions are the lesser of two: calls of min, conditions that choose
// it, statement expressions of generated code, and products of them. See
// SteadySums.h.
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "ExpressionSums.h"
#include "PathConditions.h"
#include "SteadySums.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace clang;

namespace kpipe {

/// E * Factor, where the product loses nothing.
static std::optional<Lesser> scaled(std::optional<Lesser> Of, int64_t Factor) {
  if (!Of || Factor <= 0 || Factor > MostFactor ||
      Of->Times > MostFactor / Factor)
    return std::nullopt;
  Of->Times *= Factor;
  return Of;
}

std::optional<Lesser>
SteadySums::lesserOf(const Expr *E, llvm::ArrayRef<const ForStmt *> Around) {
  E = evaluated(E);
  while (const auto *C = dyn_cast<CastExpr>(E)) {
    if (isNarrowing(C))
      return narrowed(lesserOf(C->getSubExpr(), Around), Around);
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp)
      return std::nullopt;
    E = evaluated(C->getSubExpr());
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    const auto Chosen = V ? chosen(V) : std::nullopt;
    if (Chosen && !isStale(Chosen->Then, V, Around) &&
        !isStale(Chosen->Else, V, Around) && !isStale(Chosen->Cond, V, Around))
      return lesserOfArms(*Chosen, Around);
    const Expr *Init = V ? given(V, Around) : nullptr;
    return Init && Context.hasSameUnqualifiedType(V->getType(), Init->getType())
               ? lesserOf(Init, Around)
               : std::nullopt;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getIdentifier() && F->getName() == "min" &&
        C->getNumArgs() == 2 && (isToolkits(F) || F->isInStdNamespace()) &&
        C->getType()->isIntegerType())
      return Lesser{C->getArg(0), C->getArg(1)};
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return lesserOfArms(
        {C->getCond(), C->getTrueExpr(), C->getFalseExpr(), C->getType()},
        Around);
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Mul && B->getType()->isSignedIntegerType())
    for (const auto &[Of, By] : {std::pair(B->getLHS(), B->getRHS()),
                                 std::pair(B->getRHS(), B->getLHS())})
      if (auto Factor = Known.evaluate(By))
        return scaled(lesserOf(Of, Around), *Factor);
  // `({ int _x = (x); int _y = (y); _x < _y ? _x : _y; })`
  if (const auto *S = dyn_cast<StmtExpr>(E);
      S && !S->getSubStmt()->body_empty())
    if (const auto *Last = dyn_cast<Expr>(S->getSubStmt()->body_back()))
      return lesserOf(Last, Around);
  return std::nullopt;
}

/// `b + T > n ? n - b : T`: the arms are as far apart as what is compared.
std::optional<Lesser>
SteadySums::lesserOfArms(const Choice &C,
                         llvm::ArrayRef<const ForStmt *> Around) {
  auto Test = comparisonOf({C.Cond, true, 0});
  if (!Test || !C.Type->isIntegerType())
    return std::nullopt;
  // What the variable was before is asked.
  for (const Expr **Side : {&Test->Less, &Test->More}) {
    const auto *D = dyn_cast<DeclRefExpr>((*Side)->IgnoreParenLValueCasts());
    if (C.Before && D && D->getDecl() == C.Before)
      *Side = C.Else;
    else if (C.Before &&
             namesAny(*Side, [&](const VarDecl *V) { return V == C.Before; }))
      return std::nullopt;
  }
  // `n - b < T ? int(n - b) : T`: the cast loses nothing of what is less.
  const Expr *Then = C.Then;
  if (const Expr *Wide = beforeNarrowing(Then);
      Wide && narrowed(Lesser{Wide, C.Else}, Around))
    Then = Wide;
  const SteadySum All[] = {of(Test->Less, Around), of(Test->More, Around),
                           of(Then, Around), of(C.Else, Around)};
  // `a < b ? a : b`, whatever wraps around in a and b.
  auto Same = [](const SteadySum &A, const SteadySum &B) {
    const Sum Apart = add(A.Of, B.Of, -1);
    return A.isModular() && B.isModular() && Apart.Known &&
           Apart.Terms.empty() && !Apart.Constant;
  };
  auto typed = [&](const Expr *E) {
    return Context.hasSameUnqualifiedType(E->getType(), C.Type);
  };
  if (!Test->OrEqual && Same(All[0], All[2]) && Same(All[1], All[3]) &&
      typed(Test->Less) && typed(Test->More))
    return Lesser{C.Then, C.Else};
  if (!llvm::all_of(All, [](const SteadySum &S) { return S.isExact(); }))
    return std::nullopt;
  const Sum Apart =
      add(add(All[0].Of, All[1].Of, -1), add(All[2].Of, All[3].Of, -1), -1);
  if (!Apart.Known || !Apart.Terms.empty() || Apart.Constant)
    return std::nullopt;
  return Lesser{Then, C.Else};
}

bool SteadySums::isNarrowing(const CastExpr *C) const {
  const QualType From = C->getSubExpr()->getType(), To = C->getType();
  if (C->getCastKind() != CK_IntegralCast || !From->isIntegerType() ||
      !To->isSignedIntegerType() || Context.getIntWidth(To) < 32)
    return false;
  const unsigned Old = Context.getIntWidth(From), New = Context.getIntWidth(To);
  return New < Old || (New == Old && From->isUnsignedIntegerType());
}

/// What a cast makes shorter, or null.
const Expr *SteadySums::beforeNarrowing(const Expr *E) const {
  const auto *C = dyn_cast<CastExpr>(evaluated(E));
  while (C && C->getCastKind() == CK_NoOp) // the text of a cast
    C = dyn_cast<CastExpr>(evaluated(C->getSubExpr()));
  return C && isNarrowing(C) ? C->getSubExpr() : nullptr;
}

/// The loop runs while this is not negative.
bool SteadySums::isLeft(const Expr *E, llvm::ArrayRef<const ForStmt *> Around) {
  const SteadySum Left = of(E, Around);
  return Left.isExact() && isLeft(Left.Of);
}

bool SteadySums::isLeft(const Sum &S) {
  // The condition is asked once more while it is taken apart.
  const bool Known = Facts.Tile.Kind == LoopKind::For && Facts.Tile.Cond &&
                     !std::exchange(AsksLoop, true);
  if (!Known)
    return false;
  const auto Runs = comparisonOf({Facts.Tile.Cond, true, 0});
  const SteadySum Less = Runs ? of(Runs->Less, {}) : SteadySum(),
                  More = Runs ? of(Runs->More, {}) : SteadySum();
  AsksLoop = false;
  // At least what is more than 0, or not less.
  const Sum Apart = add(S, add(More.Of, Less.Of, -1), -1);
  return Less.isExact() && More.isExact() && Apart.Known &&
         Apart.Terms.empty() && Apart.Constant >= 0;
}

const Expr *SteadySums::uncut(const Expr *E,
                              llvm::ArrayRef<const ForStmt *> Around) {
  const Expr *Wide = beforeNarrowing(E);
  return Wide && isLeft(Wide, Around) ? Wide : nullptr;
}

/// A minimum as an int: that of a constant of one, and of what the loop's own
/// condition says is not negative.
std::optional<Lesser>
SteadySums::narrowed(std::optional<Lesser> Of,
                     llvm::ArrayRef<const ForStmt *> Around) {
  if (!Of || Of->Times != 1)
    return std::nullopt;
  for (const auto &[Limit, Rest] :
       {std::pair(Of->One, Of->Other), std::pair(Of->Other, Of->One)}) {
    const SteadySum Most = of(Limit, Around);
    if (Most.isExact() && Most.Of.Terms.empty() && Most.Of.Constant >= 0 &&
        Most.Of.Constant <= INT32_MAX && isLeft(Rest, Around))
      return Of;
  }
  return std::nullopt;
}

} // namespace kpipe
