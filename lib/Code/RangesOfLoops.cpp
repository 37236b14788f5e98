// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a loop's variable, see Ranges.h.
#include "AstUtils.h"
#include "Ranges.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

namespace {

/// Is V changed anywhere in S, or could it be by another name?
bool changesIn(const Stmt *S, const VarDecl *V) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Found = false;
    bool TraverseImplicitCastExpr(const ImplicitCastExpr *E) override {
      if (E->getCastKind() == CK_LValueToRValue &&
          isa<DeclRefExpr>(E->getSubExpr()->IgnoreParens()))
        return true;
      return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(E);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Found |= D->getDecl() == V;
      return !Found;
    }
  } Find;
  Find.V = V;
  Find.TraverseStmt(S);
  return Find.Found;
}

void conjuncts(const Expr *E,
               llvm::SmallVectorImpl<const BinaryOperator *> &To) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B)
    return;
  if (B->getOpcode() == BO_LAnd) {
    conjuncts(B->getLHS(), To);
    conjuncts(B->getRHS(), To);
  } else {
    To.push_back(B);
  }
}

bool names(const Expr *E, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D && D->getDecl() == V;
}

} // namespace

/// What the header of a loop gives its variable, or null.
static const Expr *firstValue(const ForStmt *F, const VarDecl *V) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit())) {
    if (llvm::is_contained(D->decls(), V))
      return V->getInit();
  } else if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit())) {
    if (B->getOpcode() == BO_Assign && names(B->getLHS(), V))
      return B->getRHS();
  }
  return nullptr;
}

std::optional<Ranges::Turn> Ranges::eachTurn(const Expr *Inc,
                                             const Range64 &From) {
  if (!Inc)
    return std::nullopt;
  Inc = Inc->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Inc))
    return Turn{U->isIncrementOp(), 1, 1};
  const auto *B = dyn_cast<BinaryOperator>(Inc);
  auto By = B ? of(B->getRHS()) : std::nullopt;
  if (!By || By->Low < 0)
    return std::nullopt;
  // A step of 0 would never end.
  switch (B->getOpcode()) {
  case BO_AddAssign:
    return Turn{true, By->divisor(), By->High};
  case BO_SubAssign:
    return Turn{false, By->divisor(), By->High};
  default:
    break;
  }
  if (By->Low == 0)
    return std::nullopt;
  switch (B->getOpcode()) {
  case BO_MulAssign:
  case BO_ShlAssign:
    // What is multiplied beyond its type begins anew, maybe below the first.
    if (From.Low < 0 || By->High > 1 << 20 ||
        (B->getOpcode() == BO_ShlAssign && By->High > 20))
      return std::nullopt;
    return Turn{true, 1, 0,
                B->getOpcode() == BO_ShlAssign ? int64_t(1) << By->High
                                               : By->High};
  case BO_DivAssign:
  case BO_ShrAssign:
    return Turn{false, 1, 0};
  default:
    return std::nullopt;
  }
}

std::optional<bool> Ranges::goesUp(const ForStmt *Loop, const Range64 &First) {
  auto Each = eachTurn(Loop->getInc(), First);
  return Each ? std::optional<bool>(Each->Up) : std::nullopt;
}

/// The values of a counted loop's variable in the loop's body.
std::optional<Range64> Ranges::ofLoop(const ForStmt *F, const VarDecl *V) {
  if (!V->hasLocalStorage() || V->getType()->isReferenceType() ||
      !F->getCond() || changesIn(F->getBody(), V) || changesIn(F->getCond(), V))
    return std::nullopt;
  // What its bounds say of the variable itself says nothing.
  auto All = Loops;
  llvm::erase(Loops, F);
  auto Restore = llvm::make_scope_exit([&] { Loops = std::move(All); });
  const Expr *First = firstValue(F, V);
  auto From = First ? of(First) : std::nullopt;
  if (!From)
    return std::nullopt;

  auto Each = eachTurn(F->getInc(), *From);
  if (!Each)
    return std::nullopt;
  const bool Up = Each->Up;
  const uint64_t Step = std::gcd(From->Step, Each->Step);
  // What steps over the end of its type goes on at the other one.
  auto StaysInType = [&](int64_t Last) {
    const unsigned Bits = Context.getIntWidth(V->getType());
    if (Bits > 62)
      return true;
    const bool Signed = V->getType()->isSignedIntegerOrEnumerationType();
    const int64_t Most = Signed ? llvm::maxIntN(Bits) : llvm::maxUIntN(Bits);
    const int64_t Least = Signed ? llvm::minIntN(Bits) : 0;
    return Each->Most <= Most &&
           (Up ? Last <= Most / Each->Times - Each->Most
               : Last >= Least + Each->Most);
  };

  llvm::SmallVector<const BinaryOperator *, 2> Tests;
  conjuncts(F->getCond(), Tests);
  for (const BinaryOperator *B : Tests) {
    BinaryOperatorKind Op = B->getOpcode();
    const Expr *Bound = B->getRHS();
    if (!names(B->getLHS(), V)) {
      if (!names(B->getRHS(), V) || !B->isRelationalOp())
        continue;
      Op = BinaryOperator::reverseComparisonOp(Op);
      Bound = B->getLHS();
    }
    auto To = of(Bound);
    if (!To)
      continue;
    if (Up && (Op == BO_LT || Op == BO_LE)) {
      int64_t High = To->High - (Op == BO_LT);
      if (!StaysInType(High))
        return std::nullopt;
      // A loop that never runs: any range is right.
      return High < From->Low ? From : makeRange(From->Low, High, Step);
    }
    if (!Up && (Op == BO_GT || Op == BO_GE)) {
      int64_t Low = To->Low + (Op == BO_GT);
      if (!StaysInType(Low))
        return std::nullopt;
      if (Low > From->High)
        return From;
      // The grid hangs on where the loop begins.
      uint64_t Span = From->High - Low;
      return makeRange(From->High - int64_t(Span / Step * Step), From->High,
                       Step);
    }
  }
  return std::nullopt;
}

} // namespace kpipe
