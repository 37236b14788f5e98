// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided intervals, see Ranges.h. Arithmetic that could leave the type of an
// expression has no range: nothing here wraps around.

#include "Ranges.h"
#include "AstUtils.h"
#include "ConstantTables.h"
#include "GroupQueries.h"
#include "SpecialRegisters.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

/// Far from where sums and products of two leave 64 bits.
constexpr int64_t Most = int64_t(1) << 31;

std::optional<Range64> makeRange(__int128 Low, __int128 High, uint64_t Step) {
  if (Low > High || Low < -Most * Most || High > Most * Most)
    return std::nullopt;
  if (Low == High)
    return Range64{int64_t(Low), int64_t(High), 0};
  Step = std::max<uint64_t>(Step, 1);
  High = Low + (High - Low) / Step * Step;
  return Range64{int64_t(Low), int64_t(High), Low == High ? 0 : Step};
}

namespace {

constexpr unsigned MostNested = 64;

std::optional<Range64> one(int64_t Value) { return makeRange(Value, Value, 0); }

std::optional<Range64> joined(const Range64 &A, const Range64 &B) {
  uint64_t Apart = A.Low > B.Low ? A.Low - B.Low : B.Low - A.Low;
  return makeRange(std::min(A.Low, B.Low), std::max(A.High, B.High),
                   std::gcd(std::gcd(A.Step, B.Step), Apart));
}

std::optional<Range64> scaled(const Range64 &A, int64_t By) {
  __int128 L = __int128(A.Low) * By, H = __int128(A.High) * By;
  return makeRange(std::min(L, H), std::max(L, H), A.Step * std::abs(By));
}

std::optional<Range64> product(const Range64 &A, const Range64 &B) {
  if (A.Low == A.High)
    return scaled(B, A.Low);
  if (B.Low == B.High)
    return scaled(A, B.Low);
  if (A.Low < 0 || B.Low < 0 || A.High > Most || B.High > Most)
    return std::nullopt;
  return makeRange(
      __int128(A.Low) * B.Low, __int128(A.High) * B.High,
      std::gcd(std::gcd(A.Low * B.Step, B.Low * A.Step), A.Step * B.Step));
}

std::optional<Range64> quotient(const Range64 &A, int64_t By) {
  if (A.Low < 0 || By <= 0)
    return std::nullopt;
  bool Even = A.Low % By == 0 && A.Step % By == 0;
  return makeRange(A.Low / By, A.High / By, Even ? A.Step / By : 1);
}

std::optional<Range64> remainder(const Range64 &A, int64_t By) {
  if (A.Low < 0 || By <= 0)
    return std::nullopt;
  if (A.Low / By == A.High / By)
    return makeRange(A.Low % By, A.High % By, A.Step);
  uint64_t Step = std::gcd<uint64_t>(A.Step, By);
  return makeRange(A.Low % Step, By - 1, Step);
}

/// Bits that are 0 in every value, at the low end.
uint64_t lowZeros(const Range64 &A) {
  uint64_t D = A.divisor();
  return D ? D & -D : uint64_t(1) << 62;
}

std::optional<Range64> bitwise(BinaryOperatorKind Op, const Range64 &A,
                               const Range64 &B) {
  if (Op == BO_And) {
    // What is masked by a number that is not negative lies below it.
    const Range64 &Mask = B.Low >= 0 ? B : A;
    if (Mask.Low < 0)
      return std::nullopt;
    const Range64 &Other = &Mask == &B ? A : B;
    if (Mask.Low == Mask.High && llvm::isMask_64(Mask.High) && Other.Low >= 0)
      return remainder(Other, Mask.High + 1);
    int64_t High = Other.Low >= 0 ? std::min(A.High, B.High) : Mask.High;
    return makeRange(0, High, std::max(lowZeros(A), lowZeros(B)));
  }
  if (A.Low < 0 || B.Low < 0 || A.High > Most || B.High > Most)
    return std::nullopt;
  uint64_t All = llvm::NextPowerOf2(std::max(A.High, B.High)) - 1;
  return makeRange(0, All, std::min(lowZeros(A), lowZeros(B)));
}

} // namespace

uint64_t Range64::divisor() const {
  return std::gcd<uint64_t>(Low < 0 ? -Low : Low, Step);
}

std::optional<Range64> Ranges::of(const Expr *E) {
  if (!E || Depth >= MostNested || E->isValueDependent())
    return std::nullopt;
  ++Depth;
  auto Leave = llvm::make_scope_exit([&] { --Depth; });
  if (auto Value = Known.evaluate(E))
    return one(*Value);
  return fitting(compute(E), E->getType());
}

std::optional<Range64> Ranges::fitting(std::optional<Range64> R, QualType T) {
  if (!R || !T->isIntegralOrEnumerationType())
    return std::nullopt;
  unsigned Bits = std::min(Context.getIntWidth(T), 63u);
  bool Unsigned = T->isUnsignedIntegerOrEnumerationType();
  int64_t High =
      Unsigned || Bits == 63 ? llvm::maxUIntN(Bits) : llvm::maxIntN(Bits);
  int64_t Low = Unsigned ? 0 : -High - 1;
  if (R->Low < Low || R->High > High)
    return std::nullopt;
  return R;
}

std::optional<Range64> Ranges::compute(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return of(S->getReplacement());
  if (const auto *F = dyn_cast<FullExpr>(E))
    return of(F->getSubExpr());
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_IntegralCast:
      return of(C->getSubExpr());
    default:
      return std::nullopt;
    }
  }
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return builtin(P);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? variable(V) : std::nullopt;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    auto A = of(U->getSubExpr());
    if (U->getOpcode() == UO_LNot)
      return makeRange(0, 1, 1);
    if (!A || (U->getOpcode() != UO_Plus && U->getOpcode() != UO_Minus))
      return std::nullopt;
    return U->getOpcode() == UO_Plus ? A : scaled(*A, -1);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    auto A = of(C->getTrueExpr()), B = of(C->getFalseExpr());
    return A && B ? joined(*A, *B) : std::nullopt;
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return lookedUp(A);
  if (const auto *C = dyn_cast<CallExpr>(E))
    if (auto Q = groupQuery(C)) {
      int64_t Most = std::min<int64_t>(
          1024, int64_t(Axes[0]) * Axes[1] * Axes[2]);
      if (Q->Tile)
        Most = Q->Tile;
      return Q->Rank ? makeRange(0, Most - 1, 1)
                     : makeRange(Q->Tile ? Most : 1, Most, 1);
    }
  return std::nullopt;
}

/// Any of a table's numbers.
std::optional<Range64> Ranges::lookedUp(const ArraySubscriptExpr *A) {
  const InitListExpr *Table = tableOf(A);
  if (!Table)
    return std::nullopt;
  std::optional<Range64> All;
  if (Table->hasArrayFiller())
    All = makeRange(0, 0, 0);
  for (const Expr *E : Table->inits()) {
    const auto One = of(E);
    if (!One)
      return std::nullopt;
    All = All ? joined(*All, *One) : One;
    if (!All)
      return std::nullopt;
  }
  return All;
}

std::optional<Range64> Ranges::binary(const BinaryOperator *B) {
  if (B->isComparisonOp() || B->isLogicalOp())
    return makeRange(0, 1, 1);
  if (B->isAssignmentOp() || B->getOpcode() == BO_Comma)
    return std::nullopt;
  auto L = of(B->getLHS()), R = of(B->getRHS());
  // A mask bounds even what is not known.
  if (B->getOpcode() == BO_And && (!L || !R)) {
    const auto &Mask = L ? L : R;
    if (!Mask || Mask->Low < 0)
      return std::nullopt;
    return makeRange(0, Mask->High, lowZeros(*Mask));
  }
  if (!L || !R)
    return std::nullopt;
  bool Number = R->Low == R->High;
  switch (B->getOpcode()) {
  case BO_Add:
    return makeRange(__int128(L->Low) + R->Low, __int128(L->High) + R->High,
                     std::gcd(L->Step, R->Step));
  case BO_Sub:
    return makeRange(__int128(L->Low) - R->High, __int128(L->High) - R->Low,
                     std::gcd(L->Step, R->Step));
  case BO_Mul:
    return product(*L, *R);
  case BO_Div:
    return Number ? quotient(*L, R->Low) : std::nullopt;
  case BO_Rem:
    return Number ? remainder(*L, R->Low) : std::nullopt;
  case BO_Shl:
    return Number && R->Low >= 0 && R->Low < 31
               ? scaled(*L, int64_t(1) << R->Low)
               : std::nullopt;
  case BO_Shr:
    return Number && R->Low >= 0 && R->Low < 31
               ? quotient(*L, int64_t(1) << R->Low)
               : std::nullopt;
  case BO_And:
  case BO_Or:
  case BO_Xor:
    return bitwise(B->getOpcode(), *L, *R);
  default:
    return std::nullopt;
  }
}

std::optional<Range64> Ranges::variable(const VarDecl *V) {
  for (const ForStmt *F : Loops)
    if (updatedVariable(F->getInc()) == V)
      return ofLoop(F, V);
  if (!V->hasInit() || isa<ParmVarDecl>(V) || V->getType()->isReferenceType() ||
      !Known.unchanged(V))
    return std::nullopt;
  // Its value is of when it was made: in a loop that began later the loop's
  // variable had another one.
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Made = SM.getExpansionLoc(V->getLocation());
  auto All = Loops;
  llvm::erase_if(Loops, [&](const ForStmt *F) {
    return SM.isBeforeInTranslationUnit(Made,
                                        SM.getExpansionLoc(F->getBeginLoc()));
  });
  auto R = fitting(of(V->getInit()), V->getType());
  Loops = std::move(All);
  return R;
}
std::optional<Range64> Ranges::builtin(const PseudoObjectExpr *P) {
  const auto R = specialRegister(P);
  if (!R)
    return std::nullopt;
  const unsigned Threads = Axes[R->Axis];
  if (R->isOf("threadIdx"))
    return makeRange(0, int64_t(Threads) - 1, 1);
  if (R->isOf("blockDim"))
    return makeRange(1, Threads, 1);
  return std::nullopt;
}

} // namespace kpipe
