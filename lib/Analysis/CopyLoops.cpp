// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops around copies: how many registers a thread needs to hold what
// such a loop loads.

#include "Copies.h"
#include "LoopHeader.h"
#include "Ranges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

namespace {

const VarDecl *variable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// Tells what is provably not below zero: thread and block indices, constants,
/// and what is made of them without subtraction.
class NonNegative {
public:
  explicit NonNegative(const Scope &In) : In(&In), Known(In.context()) {}

  bool holds(const Expr *E) {
    if (!E || Depth > 16)
      return false;
    ++Depth;
    bool Holds = check(E->IgnoreParens());
    --Depth;
    return Holds;
  }

private:
  const Scope *In;
  Values Known;
  unsigned Depth = 0;

  bool check(const Expr *E) {
    if (auto V = constantValue(E, In->context()))
      return *V >= 0;
    if (const auto *C = dyn_cast<CastExpr>(E))
      // Into something narrower than an int, bits are lost.
      return (!C->getType()->isIntegerType() ||
              In->context().getIntWidth(C->getType()) >= 32) &&
             holds(C->getSubExpr());
    if (isa<PseudoObjectExpr>(E))
      return true; // threadIdx.x and its kin are unsigned
    if (const VarDecl *V = variable(E))
      return variableHolds(V);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    switch (B->getOpcode()) {
    case BO_Add:
    case BO_Mul:
    case BO_Div:
    case BO_Rem:
    case BO_Shr:
    case BO_Shl:
      return holds(B->getLHS()) && holds(B->getRHS());
    case BO_And:
      return holds(B->getLHS()) || holds(B->getRHS());
    default:
      return false;
    }
  }

  bool variableHolds(const VarDecl *V) {
    if (!V->getType()->isIntegerType() ||
        In->context().getIntWidth(V->getType()) < 32 || !Known.unchanged(V))
      return false;
    if (!isa<ParmVarDecl>(V))
      return V->hasInit() && holds(V->getInit());
    // What the call that is looked into gives.
    const Expr *Given = In->argument(V);
    if (!Given)
      return false;
    const Scope *Here = In;
    In = In->caller();
    bool Holds = holds(Given);
    In = Here;
    return Holds;
  }
};

/// Is a variable changed in a statement?
bool changes(const Stmt *S, const VarDecl *V) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const VarDecl *V;
    unsigned Uses = 0, Reads = 0;
    explicit Finder(const VarDecl *V) : V(V) {}
    bool VisitDeclRefExpr(DeclRefExpr *D) {
      Uses += D->getDecl() == V;
      return true;
    }
    bool VisitImplicitCastExpr(ImplicitCastExpr *C) {
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      Reads += C->getCastKind() == CK_LValueToRValue && D && D->getDecl() == V;
      return true;
    }
  } Found(V);
  Found.TraverseStmt(const_cast<Stmt *>(S));
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
  if (!Most || L.Compare != CopyLoop::Test::Less)
    return CopyLoop::Partial::Any;
  Values Known(In.context());
  auto First = Ranges(In.context(), Known, {*Most, *Most, *Most}).of(L.Init);
  if (!First || First->Low < 0 || First->High >= Step)
    return CopyLoop::Partial::Any;
  return Bound % Step ? CopyLoop::Partial::Last : CopyLoop::Partial::None;
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
      updatedVariable(F->getInc()) != L.Index ||
      changes(F->getBody(), L.Index))
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

} // namespace kpipe
