// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops around copies: how many registers a thread needs to hold what
// such a loop loads.

#include "CopyLoops.h"
#include "Code/AstUtils.h"
#include "Code/Ranges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// The widest block that CUDA launches, on each axis.
constexpr Extent3 WidestBlock = {1024, 1024, 64};

/// Tells what is provably not below zero, by the bounds of what it is made of:
/// in unsigned arithmetic a sum may have wrapped, and be below zero as an int.
/// What a helper is given is looked up in its callers.
class NonNegative {
public:
  explicit NonNegative(const Scope &In) : In(&In), Known(In.context()) {}

  bool holds(const Expr *E) {
    auto R = of(E);
    return R && R->Low >= 0;
  }

private:
  const Scope *In;
  Values Known;
  unsigned Depth = 0;

  /// As far as it is bounded.
  std::optional<Range64> of(const Expr *E) {
    if (!E || Depth > 16)
      return std::nullopt;
    ++Depth;
    auto R = Ranges(In->context(), Known, WidestBlock).of(E);
    if (!R)
      R = fitting(bounds(E->IgnoreParens()), E->getType());
    --Depth;
    return R;
  }

  std::optional<Range64> fitting(std::optional<Range64> R, QualType T) const {
    if (!R || !T->isIntegralOrEnumerationType())
      return std::nullopt;
    unsigned Bits = std::min(In->context().getIntWidth(T), 63u);
    bool Unsigned = T->isUnsignedIntegerOrEnumerationType() && Bits < 63;
    int64_t High = Unsigned ? llvm::maxUIntN(Bits) : llvm::maxIntN(Bits);
    int64_t Low = T->isUnsignedIntegerOrEnumerationType() ? 0 : -High - 1;
    if (R->Low < Low || R->High > High)
      return std::nullopt;
    return R;
  }

  /// What Ranges does not know: parameters of helpers, and quotients and
  /// remainders of what has no greatest value.
  std::optional<Range64> bounds(const Expr *E) {
    if (const auto *C = dyn_cast<CastExpr>(E))
      return of(C->getSubExpr());
    if (isa<PseudoObjectExpr>(E)) // gridDim and blockIdx fit an int
      return Range64{0, llvm::maxIntN(32), 1};
    if (const VarDecl *V = mentionedVariable(E))
      return ofVariable(V);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return std::nullopt;
    auto L = of(B->getLHS()), R = of(B->getRHS());
    if (B->getOpcode() == BO_And && (L || R)) {
      const auto &Mask = L && L->Low >= 0 ? L : R;
      return Mask && Mask->Low >= 0
                 ? std::optional(Range64{0, Mask->High, 1})
                 : std::nullopt;
    }
    if (!L || !R || L->Low < 0 || R->Low < 0)
      return std::nullopt;
    __int128 Low = 0, High = 0;
    switch (B->getOpcode()) {
    case BO_Add:
      Low = __int128(L->Low) + R->Low;
      High = __int128(L->High) + R->High;
      break;
    case BO_Mul:
      Low = __int128(L->Low) * R->Low;
      High = __int128(L->High) * R->High;
      break;
    case BO_Div:
    case BO_Shr:
      High = L->High;
      break;
    case BO_Rem:
      High = std::min(L->High, R->High);
      break;
    default:
      return std::nullopt;
    }
    if (High > llvm::maxIntN(62))
      return std::nullopt;
    return Range64{static_cast<int64_t>(Low), static_cast<int64_t>(High), 1};
  }

  std::optional<Range64> ofVariable(const VarDecl *V) {
    if (!V->getType()->isIntegerType() || !Known.unchanged(V))
      return std::nullopt;
    if (!isa<ParmVarDecl>(V))
      return V->hasInit() ? of(V->getInit()) : std::nullopt;
    // What the call that is looked into gives.
    const Expr *Given = In->argument(V);
    if (!Given)
      return std::nullopt;
    const Scope *Here = In;
    In = In->caller();
    auto R = of(Given);
    In = Here;
    return R;
  }
};

/// Is a variable changed in a statement?
bool changes(const Stmt *S, const VarDecl *V) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    unsigned Uses = 0, Reads = 0;
    explicit Finder(const VarDecl *V) : V(V) {}
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Uses += D->getDecl() == V;
      return true;
    }
    bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      Reads += C->getCastKind() == CK_LValueToRValue && D && D->getDecl() == V;
      return true;
    }
  } Found(V);
  Found.TraverseStmt(S);
  return Found.Uses != Found.Reads;
}

/// The most threads that a block of the kernel can have: a launch of more fails.
std::optional<unsigned> launchBound(const FunctionDecl *F,
                                    const ASTContext &Context) {
  for (const FunctionDecl *D : F->redecls())
    if (const auto *A = D->getAttr<CUDALaunchBoundsAttr>())
      if (auto Most = constantValue(A->getMaxThreads(), Context);
          Most && *Most > 0 && *Most <= 1024)
        return static_cast<unsigned>(*Most);
  return std::nullopt;
}

/// Which iterations of a loop from a thread's own index below Bound need their
/// condition, when no thread begins at or above Step.
CopyLoop::Partial partsOf(const CopyLoop &L, int64_t Bound, int64_t Step,
                          const Scope &In) {
  // A helper has no bound: what it does holds for all kernels that call it.
  auto Most = launchBound(In.function(), In.context());
  Extent3 Axes = Most ? Extent3{*Most, *Most, *Most} : WidestBlock;
  const std::optional<Extent3> Certain = In.certainBlock();
  if (Certain)
    Axes = *Certain;
  // A loop that is counted for one size of blocks is run by such alone.
  if (L.BlockAxes)
    for (unsigned I = 0; I != 3; ++I)
      if (L.BlockAxes >> I & 1)
        Axes[I] = std::min(Axes[I], L.Block[I]);
  if (!(Most || L.BlockAxes || Certain) || L.Compare != CopyLoop::Test::Less)
    return CopyLoop::Partial::Any;
  Values Known(In.context());
  auto First = Ranges(In.context(), Known, Axes).of(L.Init);
  if (!First || First->Low < 0 || First->High >= Step)
    return CopyLoop::Partial::Any;
  return Bound % Step ? CopyLoop::Partial::Last : CopyLoop::Partial::None;
}

} // namespace

static CopyLoop describe(const ForStmt *F, const Scope &In) {
  const ASTContext &Context = In.context();
  // Also of variables that nothing writes again: `int parts = 4;`.
  Values Known(Context);
  Known.Block = In.block();
  CopyLoop L;
  L.For = F;
  const auto *Decl = dyn_cast_or_null<DeclStmt>(F->getInit());
  if (!Decl || !Decl->isSingleDecl() || !F->getCond() || !F->getInc())
    return L;
  L.Index = dyn_cast<VarDecl>(Decl->getSingleDecl());
  if (!L.Index || !L.Index->hasInit() || !L.Index->getType()->isIntegerType() ||
      updatedVariable(F->getInc()) != L.Index ||
      changes(F->getBody(), L.Index) || changes(F->getCond(), L.Index))
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
             mentionedVariable(Sum->getLHS()) == L.Index)
      L.Step = Sum->getRHS();
    if (L.Step)
      Step = Known.evaluate(L.Step).value_or(0);
    L.BlockAxes = Known.AskedForBlock;
  }
  const auto *Cond = dyn_cast<BinaryOperator>(F->getCond()->IgnoreParenImpCasts());
  // A step that the variable cannot hold is another one.
  if (!Cond || Step <= 0 ||
      Step > llvm::maxIntN(std::min(
                 Context.getIntWidth(L.Index->getType()), 32u)))
    return L;
  const Expr *Left = Cond->getLHS();
  L.Bound = Cond->getRHS();
  int64_t Slack = 0;
  if (mentionedVariable(Left) == L.Index) {
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
        mentionedVariable(Sum->getLHS()) != L.Index ||
        Known.evaluate(Sum->getRHS()) != Step)
      return L;
    L.Compare = CopyLoop::Test::StepFits;
    Slack = 1 - Step;
  }
  auto Bound = Known.evaluate(L.Bound);
  auto Init = Known.evaluate(L.Init);
  L.BlockAxes = Known.AskedForBlock;
  L.Block = In.block().value_or(L.Block);
  if (!Bound)
    return L;
  L.ConstantInit = Init.has_value();
  L.ConstantInitIsZero = Init == 0;
  if (!Init && (Cond->getOpcode() == BO_NE ||
                L.Compare != CopyLoop::Test::Less ||
                !NonNegative(In).holds(L.Init)))
    return L;
  int64_t Span = *Bound + Slack - Init.value_or(0);
  if (Cond->getOpcode() == BO_NE && Span % Step != 0)
    return L;
  L.Trips = Span > 0 ? (Span + Step - 1) / Step : 0;
  if (!Init)
    L.Partly = partsOf(L, *Bound, Step, In);
  return L;
}

CopyLoop describeCopyLoop(const ForStmt *F, const Scope &In) {
  CopyLoop L = describe(F, In);
  // Where a thread of a tile begins it asks, but nothing was counted by it.
  if (L.Trips && !In.block())
    L.BlockAxes = 0;
  // Would the size of the blocks be enough to count it?
  if (!L.Trips && L.BlockAxes && !In.block()) {
    Scope Known = In;
    Known.setBlock({Extent3{32, 8, 1}});
    if (!describe(F, Known).Trips)
      L.BlockAxes = 0;
  }
  return L;
}

bool isNeverNegative(const Expr *E, const Scope &In) {
  return NonNegative(In).holds(E);
}

} // namespace kpipe
