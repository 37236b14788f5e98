// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal trips, see EqualTrips.h. Where the step S divides the bound, a thread
// that starts at a multiple of S plus t, 0 <= t < S, has the turns of the
// thread that starts at the multiple itself.

#include "EqualTrips.h"
#include "AstUtils.h"
#include "Ranges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What divides an integer expression wherever it is evaluated.
class Multiples {
public:
  Multiples(const ASTContext &Context, Values &Known, uint64_t Step)
      : Context(Context), Known(Known), Step(Step),
        Wraps(llvm::isPowerOf2_64(Step)) {}

  bool has(const Expr *E) {
    if (!E || Depth == MostDepth || E->isValueDependent())
      return false;
    ++Depth;
    const bool Yes = ask(E->IgnoreParens());
    --Depth;
    return Yes;
  }

  /// Other steps do not divide what an unsigned sum wraps around at.
  bool keepsStep(QualType T) const {
    return T->isIntegerType() && Context.getIntWidth(T) >= 32 &&
           (Wraps || T->isSignedIntegerType());
  }

private:
  static constexpr unsigned MostDepth = 24;
  const ASTContext &Context;
  Values &Known;
  const uint64_t Step;
  const bool Wraps;
  unsigned Depth = 0;
  /// Of the calls on the way: what their parameters are given.
  llvm::DenseMap<const VarDecl *, const Expr *> Arguments;

  std::optional<int64_t> valueOf(const Expr *E) {
    if (std::optional<int64_t> V = Known.evaluate(E))
      return V;
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    auto At = P ? Arguments.find(P) : Arguments.end();
    // The cast of the argument to the parameter's type keeps small values.
    if (At == Arguments.end() || !Known.unchanged(P))
      return std::nullopt;
    std::optional<int64_t> V = valueOf(At->second);
    return V && *V >= 0 && llvm::isInt<31>(*V) ? V : std::nullopt;
  }

  bool ask(const Expr *E) {
    if (!keepsStep(E->getType()))
      return false;
    if (std::optional<int64_t> V = valueOf(E))
      return *V % int64_t(Step) == 0;
    if (const auto *C = dyn_cast<CastExpr>(E))
      return cast(C);
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return variable(dyn_cast<VarDecl>(D->getDecl()));
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return binary(B);
    if (const auto *C = dyn_cast<ConditionalOperator>(E))
      return has(C->getTrueExpr()) && has(C->getFalseExpr());
    if (const auto *C = dyn_cast<CallExpr>(E))
      return call(C);
    return false;
  }

  bool cast(const CastExpr *C) {
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp)
      return has(C->getSubExpr());
    const QualType From = C->getSubExpr()->getType(), To = C->getType();
    // A narrower number is another one, modulo a power of two.
    return C->getCastKind() == CK_IntegralCast &&
           (Wraps || Context.getIntWidth(To) >= Context.getIntWidth(From)) &&
           has(C->getSubExpr());
  }

  bool variable(const VarDecl *V) {
    if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
        !Known.unchanged(V))
      return false;
    if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
      auto At = Arguments.find(P);
      return At != Arguments.end() && has(At->second);
    }
    return has(V->getInit());
  }

  bool binary(const BinaryOperator *B) {
    const Expr *L = B->getLHS(), *R = B->getRHS();
    switch (B->getOpcode()) {
    case BO_Add:
      return has(L) && has(R);
    case BO_Sub:
      return (has(L) && has(R)) || withoutRest(L, R);
    case BO_Mul:
      return has(L) || has(R);
    case BO_And: // with ones above the step only
      return Wraps && (clears(L) || clears(R));
    case BO_Shl: {
      std::optional<int64_t> By = valueOf(R);
      return Wraps && By && *By >= 0 && *By < 31 &&
             ((uint64_t(1) << *By) % Step == 0 || has(L));
    }
    default:
      return false;
    }
  }

  bool clears(const Expr *E) {
    std::optional<int64_t> V = valueOf(E);
    return (V && uint64_t(*V) % Step == 0) || has(E);
  }

  /// `n - n % 32`
  bool withoutRest(const Expr *N, const Expr *Rest) {
    const auto *B = dyn_cast<BinaryOperator>(Rest->IgnoreParenImpCasts());
    const auto *D = dyn_cast<DeclRefExpr>(N->IgnoreParenImpCasts());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const auto *O =
        B ? dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts()) : nullptr;
    const bool Remains = B && B->getOpcode() == BO_Rem;
    const bool Masked = B && B->getOpcode() == BO_And;
    if (!V || !O || O->getDecl() != V || !Known.unchanged(V) ||
        !Context.hasSameType(B->getType(), Rest->getType()) ||
        !Context.hasSameUnqualifiedType(V->getType(), B->getType()))
      return false;
    std::optional<int64_t> By = valueOf(B->getRHS());
    return By && *By > 0 &&
           ((Remains && *By % int64_t(Step) == 0) ||
            (Masked && Wraps && uint64_t(*By) + 1 == Step));
  }

  /// A function that is one expression.
  bool call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    if (!F || (M && !M->isStatic()) || F->isVariadic() || !F->hasBody(Body))
      return false;
    const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
    const auto *R = Block && Block->size() == 1
                        ? dyn_cast<ReturnStmt>(Block->body_front())
                        : nullptr;
    if (!R || !R->getRetValue())
      return false;
    // Twice at once, its parameters would be given two values.
    for (const ParmVarDecl *P : Body->parameters())
      if (P->getType()->isReferenceType() || Arguments.count(P))
        return false;
    if (C->getNumArgs() != Body->getNumParams())
      return false;
    for (unsigned I = 0; I != C->getNumArgs(); ++I)
      Arguments[Body->getParamDecl(I)] = C->getArg(I);
    const bool Yes = has(R->getRetValue());
    for (const ParmVarDecl *P : Body->parameters())
      Arguments.erase(P);
    return Yes;
  }
};

/// Is V anything but read in S?
bool changes(const Stmt *S, const VarDecl *V) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Found = false;
    explicit Finder(const VarDecl *V) : V(V) {}
    bool TraverseImplicitCastExpr(const ImplicitCastExpr *C) override {
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      if (C->getCastKind() == CK_LValueToRValue && D && D->getDecl() == V)
        return !(Found |= D->refersToEnclosingVariableOrCapture());
      return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(C);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      return !(Found |= D->getDecl() == V);
    }
    // A closure's copy has another name in its body.
    bool VisitLambdaExpr(const LambdaExpr *) override {
      return !(Found = true);
    }
  } F(V);
  F.TraverseStmt(S);
  return F.Found;
}

/// The parts of a sum.
void addends(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Out) {
  const Expr *Plain = E->IgnoreParens();
  if (const auto *C = dyn_cast<ImplicitCastExpr>(Plain);
      C && C->getCastKind() == CK_IntegralCast)
    if (const auto *B =
            dyn_cast<BinaryOperator>(C->getSubExpr()->IgnoreParens());
        B && B->getOpcode() == BO_Add)
      Plain = B;
  const auto *B = dyn_cast<BinaryOperator>(Plain);
  if (!B || B->getOpcode() != BO_Add) {
    Out.push_back(E);
    return;
  }
  addends(B->getLHS(), Out);
  addends(B->getRHS(), Out);
}

/// The most threads that a block of In's function has on each axis.
Extent3 mostThreads(const Scope &In) {
  if (In.block())
    return *In.block();
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
  std::optional<int64_t> Step = By ? Known.evaluate(By) : std::nullopt;
  if (Step && *Step > 0 && llvm::isInt<31>(*Step))
    H.Step = *Step;
  return H;
}

} // namespace

bool hasEqualTrips(const ForStmt *F, const ThreadDependence &Threads,
                   const Scope &In) {
  Values Known(In.context());
  Known.Block = In.block();
  const Header H = headerOf(F, Known);
  if (!H.Bound || !H.Init || !H.Step || Threads.dependent(H.Bound) ||
      changes(F->getBody(), H.Var))
    return false;
  Multiples Of(In.context(), Known, H.Step);
  if (!Of.keepsStep(H.Var->getType()) || !Of.has(H.Bound))
    return false;
  // Of a step that wrapping may lose, sums of one type are known.
  const bool Wraps = llvm::isPowerOf2_64(H.Step);
  llvm::SmallVector<const Expr *, 4> Parts;
  addends(H.Init, Parts);
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
  return Wraps || In.context().hasSameUnqualifiedType(H.Var->getType(),
                                                      H.Bound->getType());
}

} // namespace kpipe
