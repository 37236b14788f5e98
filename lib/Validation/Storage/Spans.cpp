// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals, see Spans.h. A sum that might leave 31 bits has none, so that no
// type in between wraps around.

#include "Spans.h"
#include "Code/SpecialRegisters.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

static constexpr int64_t MostOfSpan = (int64_t(1) << 31) - 1;

static std::optional<Span> small(int64_t Low, int64_t High, QualType T) {
  const int64_t Least =
      T->isUnsignedIntegerOrEnumerationType() ? 0 : -MostOfSpan;
  if (Low > High || Low < Least || High > MostOfSpan)
    return std::nullopt;
  return Span{Low, High};
}

Spans::Spans(const ASTContext &Context, const Stmt *Function,
             std::optional<std::array<unsigned, 3>> Block)
    : Context(Context), Function(Function), Block(Block) {
  const VariableChanges All = changesIn(Function);
  for (const DeclRefExpr *D : All.Found)
    Changed.insert(D->getDecl());
  Changed.insert(All.Captured.begin(), All.Captured.end());
}

void Spans::declare(const VarDecl *V) {
  if (V->hasLocalStorage() && V->getInit() && isSteady(V) &&
      V->getType()->isIntegralOrEnumerationType())
    if (auto S = of(V->getInit()))
      Known[V] = *S;
}

std::optional<Span> Spans::builtin(const PseudoObjectExpr *P) const {
  const auto R = specialRegister(P);
  if (!R)
    return std::nullopt;
  const int64_t Most = Block ? (*Block)[R->Axis] : R->Axis == 2 ? 64 : 1024;
  if (R->isOf("threadIdx"))
    return Span{0, Most - 1};
  if (R->isOf("blockDim"))
    return Span{Block ? Most : 1, Most};
  return std::nullopt;
}

std::optional<Span> Spans::binary(const BinaryOperator *B) const {
  const auto L = of(B->getLHS()), R = of(B->getRHS());
  const QualType T = B->getType();
  if (!R)
    return std::nullopt;
  // What is left of a division does not hang on what is divided.
  if (B->getOpcode() == BO_Rem && R->Low > 0 &&
      B->getLHS()->getType()->isUnsignedIntegerOrEnumerationType())
    return small(0, R->High - 1, T);
  if (!L)
    return std::nullopt;
  switch (B->getOpcode()) {
  case BO_Add:
    return small(L->Low + R->Low, L->High + R->High, T);
  case BO_Sub:
    return small(L->Low - R->High, L->High - R->Low, T);
  case BO_Mul: {
    const int64_t All[] = {L->Low * R->Low, L->Low * R->High, L->High * R->Low,
                           L->High * R->High};
    return small(*llvm::min_element(All), *llvm::max_element(All), T);
  }
  case BO_Div:
    return L->Low >= 0 && R->Low > 0
               ? small(L->Low / R->High, L->High / R->Low, T)
               : std::nullopt;
  case BO_Rem:
    return L->Low >= 0 && R->Low > 0
               ? small(0, std::min(L->High, R->High - 1), T)
               : std::nullopt;
  case BO_Shl:
    return L->Low >= 0 && R->Low >= 0 && R->High < 31
               ? small(L->Low << R->Low, L->High << R->High, T)
               : std::nullopt;
  case BO_Shr:
    return L->Low >= 0 && R->Low >= 0 && R->High < 31
               ? small(L->Low >> R->High, L->High >> R->Low, T)
               : std::nullopt;
  case BO_And:
    return L->Low >= 0 && R->Low >= 0 ? small(0, std::min(L->High, R->High), T)
                                      : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Mentions of a variable in S, of which Reads are reads of an element.
static void countMentions(const Stmt *S, const VarDecl *V, unsigned &All,
                          unsigned &Reads) {
  if (!S)
    return;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    All += D->getDecl() == V;
  if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
      C && C->getCastKind() == CK_LValueToRValue)
    if (const auto *A =
            dyn_cast<ArraySubscriptExpr>(C->getSubExpr()->IgnoreParens()))
      if (const auto *D =
              dyn_cast<DeclRefExpr>(A->getBase()->IgnoreParenImpCasts()))
        Reads += D->getDecl() == V;
  for (const Stmt *Kid : S->children())
    countMentions(Kid, V, All, Reads);
}

/// What a list of numbers has in it that is read by its elements alone.
std::optional<Span> Spans::ofTable(const ArraySubscriptExpr *A) const {
  const auto *D = dyn_cast<DeclRefExpr>(A->getBase()->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const auto *List = V && V->hasLocalStorage() && V->getInit()
                         ? dyn_cast<InitListExpr>(V->getInit())
                         : nullptr;
  unsigned All = 0, Reads = 0;
  countMentions(Function, V, All, Reads);
  if (!List || !V->getType()->isConstantArrayType() || All != Reads)
    return std::nullopt;
  std::optional<Span> Found;
  if (List->hasArrayFiller())
    Found = Span{};
  for (const Expr *E : List->inits()) {
    const auto One = of(E);
    if (!One)
      return std::nullopt;
    Found = Found ? Span{std::min(Found->Low, One->Low),
                         std::max(Found->High, One->High)}
                  : *One;
  }
  return Found;
}

std::optional<Span> Spans::of(const Expr *E) const {
  E = E->IgnoreParens();
  if (!E->getType()->isIntegralOrEnumerationType() || E->isValueDependent())
    return std::nullopt;
  Expr::EvalResult R;
  if (E->EvaluateAsInt(R, Context) && R.Val.getInt().getSignificantBits() <= 32)
    return small(R.Val.getInt().getExtValue(), R.Val.getInt().getExtValue(),
                 E->getType());
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return builtin(P);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *F = dyn_cast<FullExpr>(E))
    return of(F->getSubExpr());
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return of(S->getReplacement());
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    const auto Yes = of(C->getTrueExpr()), No = of(C->getFalseExpr());
    return Yes && No ? small(std::min(Yes->Low, No->Low),
                             std::max(Yes->High, No->High), E->getType())
                     : std::nullopt;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    auto It = V ? Known.find(V) : Known.end();
    return It == Known.end() ? std::nullopt : std::optional(It->second);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return ofTable(A);
  const auto *C = dyn_cast<CastExpr>(E);
  if (!C || !C->getSubExpr()->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const auto From = of(C->getSubExpr());
  const unsigned Bits = Context.getIntWidth(E->getType());
  if (!From || (Bits < 32 && From->High >= int64_t(1) << (Bits - 1)) ||
      (Bits < 32 && From->Low < 0))
    return std::nullopt;
  return small(From->Low, From->High, E->getType());
}

/// Of a loop that goes up to a bound, or down to one.
std::optional<Span> Spans::counted(const ForStmt *F, const VarDecl *V,
                                   const Span &First) const {
  const auto *Test = dyn_cast_or_null<BinaryOperator>(
      F->getCond() ? F->getCond()->IgnoreParens() : nullptr);
  const auto *D =
      Test ? dyn_cast<DeclRefExpr>(Test->getLHS()->IgnoreParenImpCasts())
           : nullptr;
  const auto Bound =
      D && D->getDecl() == V ? of(Test->getRHS()) : std::optional<Span>();
  const auto *Step = F->getInc() ? F->getInc()->IgnoreParens() : nullptr;
  if (!Bound || !Step || First.Low < 0 || Bound->Low < 0)
    return std::nullopt;
  bool Up = false, Down = false, Exact = true;
  int64_t By = 1;
  if (const auto *U = dyn_cast<UnaryOperator>(Step)) {
    Up = U->isIncrementOp();
    Down = U->isDecrementOp();
  } else if (const auto *B = dyn_cast<BinaryOperator>(Step)) {
    const auto Of = of(B->getRHS());
    if (!Of || Of->Low <= 0)
      return std::nullopt;
    By = Of->High;
    Exact = Of->Low == By;
    Up = B->getOpcode() == BO_AddAssign;
    // With half of it a number that is not negative stays so.
    Down = B->getOpcode() == BO_ShrAssign ||
           (B->getOpcode() == BO_DivAssign && Of->Low > 1);
  }
  const BinaryOperatorKind Op = Test->getOpcode();
  if (Up && (Op == BO_LT || Op == BO_LE) && Bound->High + By < MostOfSpan) {
    int64_t Last = std::max(Bound->High - (Op == BO_LT), First.Low);
    if (First.Low == First.High && Exact)
      Last -= (Last - First.Low) % By;
    return Span{First.Low, Last};
  }
  if (Down && (Op == BO_GT || (Op == BO_GE && Bound->Low > 0))) {
    const int64_t Least = Bound->Low + (Op == BO_GT);
    return Span{std::min(Least, First.High), First.High};
  }
  return std::nullopt;
}

const VarDecl *Spans::enter(const ForStmt *F) {
  const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (!V || !V->getInit() || Context.getIntWidth(Context.IntTy) != 32 ||
      !V->getType()->isIntegerType() || Context.getIntWidth(V->getType()) < 32)
    return nullptr;
  for (const Stmt *S : {static_cast<const Stmt *>(F->getBody()),
                        static_cast<const Stmt *>(F->getCond())}) {
    const VariableChanges In = S ? changesIn(S) : VariableChanges();
    if (llvm::is_contained(In.Captured, V) ||
        llvm::any_of(In.Found, [&](auto *M) { return M->getDecl() == V; }))
      return nullptr;
  }
  const auto First = of(V->getInit());
  const auto Span = First ? counted(F, V, *First) : std::nullopt;
  if (!Span)
    return nullptr;
  Known[V] = *Span;
  return V;
}

} // namespace kpipe
