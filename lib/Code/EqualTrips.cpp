// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal trips, see EqualTrips.h. Where the step S divides the bound, a thread
// that starts at a multiple of S plus t, 0 <= t < S, has the turns of the
// thread that starts at the multiple itself.

#include "EqualTrips.h"
#include "AstUtils.h"
#include "Multiples.h"
#include "Ranges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Looks for what may change a variable: an assignment, or another name for it.
class Changes : public ConstDynamicRecursiveASTVisitor {
public:
  Changes(const VarDecl *V, bool MaySet) : V(V), MaySet(MaySet) {}
  bool Found = false;

  bool TraverseImplicitCastExpr(const ImplicitCastExpr *C) override {
    const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
    if (C->getCastKind() == CK_LValueToRValue && D && D->getDecl() == V)
      return !(Found |= D->refersToEnclosingVariableOrCapture());
    return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(C);
  }
  // The result of an assignment is a name as well, unless nobody asks for it.
  bool TraverseCompoundStmt(const CompoundStmt *S) override {
    for (const Stmt *Child : S->body())
      if (!(MaySet ? aside(Child) : TraverseStmt(Child)))
        return false;
    return true;
  }
  bool TraverseForStmt(const ForStmt *F) override {
    if (!MaySet)
      return ConstDynamicRecursiveASTVisitor::TraverseForStmt(F);
    return aside(F->getInit()) && TraverseStmt(F->getCond()) &&
           aside(F->getInc()) && aside(F->getBody());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    return !(Found |= D->getDecl() == V);
  }
  // A closure's copy has another name in its body, and who calls it may be
  // anywhere.
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    if (MaySet) {
      Changes Inside(V, false);
      Inside.TraverseStmt(L->getBody());
      return !(Found |= Inside.Found);
    }
    return !(Found = true);
  }

private:
  const VarDecl *V;
  const bool MaySet;

  bool aside(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E || updatedVariable(E) != V)
      return TraverseStmt(S);
    const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParens());
    return !B || TraverseStmt(B->getRHS());
  }
};

/// Is V anything but read in S?
bool changes(const Stmt *S, const VarDecl *V) {
  Changes C(V, false);
  C.TraverseStmt(S);
  return C.Found;
}

/// Is what a loop counts with a number that no other name leads to?
bool goesByOneName(const ForStmt *F, const VarDecl *V, const Scope &In) {
  if (!V->hasLocalStorage() || V->getType()->isReferenceType() ||
      isa<BindingDecl>(V) || V->getDeclContext() != In.function())
    return false;
  if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
      D && D->isSingleDecl() && D->getSingleDecl() == V)
    return !changes(V->getInit(), V);
  Changes C(V, true);
  C.TraverseStmt(In.function()->getBody());
  return !C.Found;
}

/// The parts of a sum.
void addends(const Expr *E, const Multiples &Of,
             llvm::SmallVectorImpl<const Expr *> &Out) {
  const Expr *Plain = E->IgnoreParens();
  if (const auto *C = dyn_cast<ImplicitCastExpr>(Plain);
      C && C->getCastKind() == CK_IntegralCast &&
      Of.keepsStep(C->getSubExpr()->getType(), C->getType()))
    if (const auto *B =
            dyn_cast<BinaryOperator>(C->getSubExpr()->IgnoreParens());
        B && B->getOpcode() == BO_Add)
      Plain = B;
  const auto *B = dyn_cast<BinaryOperator>(Plain);
  if (!B || B->getOpcode() != BO_Add) {
    Out.push_back(E);
    return;
  }
  addends(B->getLHS(), Of, Out);
  addends(B->getRHS(), Of, Out);
}

/// The most threads that a block of In's function has on each axis.
Extent3 mostThreads(const Scope &In) {
  if (In.certainBlock())
    return *In.certainBlock();
  Extent3 Most = {1024, 1024, 64};
  const FunctionDecl *F = In.function();
  if (!F->hasAttr<CUDAGlobalAttr>())
    return Most;
  Values Known(In.context());
  for (const FunctionDecl *D : F->redecls())
    if (const auto *A = D->getAttr<CUDALaunchBoundsAttr>())
      if (std::optional<int64_t> N = Known.evaluate(A->getMaxThreads());
          N && *N > 0)
        for (unsigned &Axis : Most)
          Axis = std::min<int64_t>(Axis, *N);
  return Most;
}

struct Header {
  const VarDecl *Var = nullptr;
  const Expr *Init = nullptr, *Bound = nullptr;
  int64_t Step = 0;
  /// What the step is added in.
  QualType SumType;
};

Header headerOf(const ForStmt *F, Values &Known) {
  Header H;
  const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
  H.Var =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit());
      B && B->getOpcode() == BO_Assign) {
    const auto *R = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    H.Var = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
    H.Init = B->getRHS();
  } else if (H.Var) {
    H.Init = H.Var->getInit();
  }
  const auto *C = dyn_cast_or_null<BinaryOperator>(
      F->getCond() ? F->getCond()->IgnoreParens() : nullptr);
  auto isVar = [&](const Expr *E) {
    const auto *R = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return R && R->getDecl() == H.Var;
  };
  if (!H.Var || !H.Var->hasLocalStorage() || !C || !F->getInc() ||
      updatedVariable(F->getInc()) != H.Var)
    return Header();
  if (C->getOpcode() == BO_LT && isVar(C->getLHS()))
    H.Bound = C->getRHS();
  else if (C->getOpcode() == BO_GT && isVar(C->getRHS()))
    H.Bound = C->getLHS();
  const auto *I = dyn_cast<BinaryOperator>(F->getInc()->IgnoreParens());
  const Expr *By = nullptr;
  if (I && I->getOpcode() == BO_AddAssign)
    By = I->getRHS();
  else if (const auto *Sum = I && I->getOpcode() == BO_Assign
                                 ? dyn_cast<BinaryOperator>(
                                       I->getRHS()->IgnoreParenImpCasts())
                                 : nullptr;
           Sum && Sum->getOpcode() == BO_Add)
    By = isVar(Sum->getLHS())   ? Sum->getRHS()
         : isVar(Sum->getRHS()) ? Sum->getLHS()
                                : nullptr;
  if (const auto *A = dyn_cast_or_null<CompoundAssignOperator>(I))
    H.SumType = A->getComputationResultType();
  else if (By)
    H.SumType = cast<BinaryOperator>(I->getRHS()->IgnoreParenImpCasts())
                    ->getType();
  std::optional<int64_t> Step = By ? Known.evaluate(By) : std::nullopt;
  if (Step && *Step > 0 && llvm::isInt<31>(*Step))
    H.Step = *Step;
  return H;
}

} // namespace

bool hasEqualTrips(const ForStmt *F, const ThreadDependence &Threads,
                   const Scope &In) {
  Values Known(In.context());
  Known.Block = In.certainBlock();
  const Header H = headerOf(F, Known);
  if (!H.Bound || !H.Init || !H.Step || Threads.dependent(H.Bound) ||
      changes(F->getBody(), H.Var) || !goesByOneName(F, H.Var, In))
    return false;
  Multiples Of(In.context(), Known, H.Step);
  if (!Of.keepsStep(H.Var->getType()) || !Of.has(H.Bound))
    return false;
  // Of a step that wrapping may lose, sums of one type are known.
  const bool Wraps = llvm::isPowerOf2_64(H.Step);
  llvm::SmallVector<const Expr *, 4> Parts;
  addends(H.Init, Of, Parts);
  Ranges Bounds(In.context(), Known, mostThreads(In));
  int64_t High = 0;
  for (const Expr *E : Parts) {
    if (!Threads.dependent(E) && Of.has(E))
      continue;
    std::optional<Range64> R = Bounds.of(E);
    if (!R || R->Low < 0 || R->High >= H.Step)
      return false;
    High += R->High;
  }
  if (High >= H.Step)
    return false;
  // Where signed numbers end, the program has no meaning.
  return Wraps || In.context().hasSameUnqualifiedType(H.Var->getType(),
                                                      H.SumType);
}

} // namespace kpipe
