// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end without the beginning, in ints that do not leave their type: what
// both have goes, what a thread's own index takes away is at least nothing, and
// what is left has to be a number. See CountedSpans.h.

#include "CountedSpans.h"
#include "Code/Jumps.h"
#include "Code/KnownFunctions.h"
#include "Code/SpecialRegisters.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;

namespace kpipe {

namespace {

constexpr int64_t MostNumber = INT32_MAX;

/// Is a declaration or an expression written in the text of S?
bool isWithin(SourceLocation L, const Stmt *S, const SourceManager &SM) {
  L = SM.getExpansionLoc(L);
  return !SM.isBeforeInTranslationUnit(L,
                                       SM.getExpansionLoc(S->getBeginLoc())) &&
         !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(S->getEndLoc()), L);
}

class Distance {
public:
  Distance(const CopyLoop &L, const TileLoop &Loop, const ASTContext &Context)
      : For(L.For), Context(Context), Body(bodyOf(Loop.Loop)) {
    const VariableChanges All = changesIn(Loop.Function->getBody());
    // Who has a name or an address of it may change it anywhere.
    for (const DeclRefExpr *D : All.Found) {
      const auto *V = cast<VarDecl>(D->getDecl());
      Changed[V].push_back(D->getLocation());
      if (!All.Written.count(D))
        Handed.insert(V);
    }
    for (const VarDecl *V : All.Captured)
      Handed.insert(V);
  }

  /// What To is more than From, at most.
  std::optional<int64_t> most(const Expr *To, const Expr *From) {
    // The lesser of two is no more than either.
    if (const CallExpr *Least = minimum(To)) {
      const auto One = most(Least->getArg(0), From),
                 Other = most(Least->getArg(1), From);
      return One && Other ? std::min(*One, *Other) : One ? One : Other;
    }
    Parts.clear();
    Number = 0;
    if (!add(To, 1) || !add(From, -1))
      return std::nullopt;
    // A thread's own part of the beginning: that much nearer to the end.
    for (const auto &[V, Times] : Parts)
      if (Times > 0 || (Times < 0 && !isCounted(V)))
        return std::nullopt;
    return Number;
  }

private:
  const ForStmt *For;
  const ASTContext &Context;
  const Stmt *Body; ///< of the tile loop
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<SourceLocation, 2>> Changed;
  llvm::DenseSet<const VarDecl *> Handed;
  llvm::DenseMap<const VarDecl *, int64_t> Parts;
  int64_t Number = 0;
  unsigned Depth = 0;

  /// `min(a, b)` of ints, or what was made of that and is still.
  const CallExpr *minimum(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      const bool Kept = V && !isa<ParmVarDecl>(V) && V->getInit() &&
                        isInt(V->getType()) && keeps(V) &&
                        isStill(V->getInit(), V);
      E = Kept ? V->getInit()->IgnoreParenImpCasts() : E;
    }
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    return F && F->getIdentifier() && F->getName() == "min" &&
                   C->getNumArgs() == 2 && isInt(C->getType()) &&
                   (isToolkits(F) || F->isInStdNamespace())
               ? C
               : nullptr;
  }

  bool number(int64_t Value, int64_t Times) {
    if (std::abs(Value) > MostNumber || std::abs(Times) > 1024)
      return false;
    Number += Value * Times;
    return std::abs(Number) <= MostNumber;
  }

  static std::optional<int64_t> constant(const Expr *E, const ASTContext &C) {
    Expr::EvalResult R;
    if (E->isValueDependent() || !E->EvaluateAsInt(R, C) ||
        !R.Val.getInt().isRepresentableByInt64())
      return std::nullopt;
    return R.Val.getInt().getExtValue();
  }

  bool isInt(QualType T) const {
    return T->isSignedIntegerType() && Context.getIntWidth(T) >= 32;
  }
  static bool isOwn(const VarDecl *V) {
    return V->hasLocalStorage() && !V->getType()->isReferenceType() &&
           !V->getType().isVolatileQualified();
  }
  /// V has one value for good.
  bool keeps(const VarDecl *V) const {
    return isOwn(V) && !Handed.count(V) && !Changed.count(V);
  }
  /// V has one value in all of a tile's turn.
  bool keepsInTile(const VarDecl *V) const {
    const SourceManager &SM = Context.getSourceManager();
    auto At = Changed.find(V);
    return isOwn(V) && !Handed.count(V) &&
           (At == Changed.end() ||
            llvm::none_of(At->second, [&](SourceLocation L) {
              return isWithin(L, Body, SM);
            }));
  }

  /// Is it at least 0, and what it is made of too?
  bool isCounted(const VarDecl *V) {
    return !isa<ParmVarDecl>(V) && V->getInit() && keeps(V) &&
           greatest(V->getInit());
  }

  bool add(const Expr *E, int64_t Times) {
    if (Depth > 24)
      return false;
    ++Depth;
    const auto Before = Parts;
    const int64_t Was = Number;
    bool Good = sum(E->IgnoreParens(), Times);
    if (!Good) {
      Parts = Before;
      Number = Was;
      Good = Times < 0 && greatest(E);
    }
    --Depth;
    return Good;
  }

  bool sum(const Expr *E, int64_t Times) {
    if (auto Value = constant(E, Context))
      return number(*Value, Times);
    if (const auto *F = dyn_cast<FullExpr>(E))
      return add(F->getSubExpr(), Times);
    if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return add(S->getReplacement(), Times);
    if (!isInt(E->getType()))
      return false;
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      return add(M->getSubExpr(), Times);
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      const QualType From = C->getSubExpr()->getType();
      const bool Same =
          C->getCastKind() == CK_LValueToRValue ||
          C->getCastKind() == CK_NoOp ||
          (C->getCastKind() == CK_IntegralCast && isInt(From) &&
           Context.getIntWidth(C->getType()) >= Context.getIntWidth(From));
      return Same && add(C->getSubExpr(), Times);
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub)
        return add(B->getLHS(), Times) &&
               add(B->getRHS(), B->getOpcode() == BO_Add ? Times : -Times);
      if (B->getOpcode() != BO_Mul)
        return false;
      for (auto [Of, By] : {std::pair(B->getLHS(), B->getRHS()),
                            std::pair(B->getRHS(), B->getLHS())})
        if (auto Factor = constant(By, Context))
          return std::abs(*Factor) <= 1024 &&
                 std::abs(Times * *Factor) <= 1024 && add(Of, Times * *Factor);
      return false;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && variable(V, Times);
  }

  bool variable(const VarDecl *V, int64_t Times) {
    const SourceManager &SM = Context.getSourceManager();
    if (!keepsInTile(V) || isWithin(V->getLocation(), For, SM))
      return false;
    const Expr *Init = isa<ParmVarDecl>(V) ? nullptr : V->getInit();
    // Or a part of its own, where it is no such sum.
    if (Init && keeps(V) && isStill(Init, V) && !isCounted(V)) {
      auto Before = Parts;
      const int64_t Was = Number;
      if (sum(Init->IgnoreParens(), Times))
        return true;
      Parts = std::move(Before);
      Number = Was;
    }
    Parts[V] += Times;
    return true;
  }

  /// Has what V was made of the value that it had then?
  bool isStill(const Stmt *Init, const VarDecl *V) const {
    if (const auto *P = dyn_cast<PseudoObjectExpr>(Init))
      return isSpecialRegister(P);
    if (const auto *D = dyn_cast<DeclRefExpr>(Init))
      if (const auto *U = dyn_cast<VarDecl>(D->getDecl());
          U && !keeps(U) && !U->isUsableInConstantExpressions(Context) &&
          !(keepsInTile(U) &&
            isWithin(V->getLocation(), Body, Context.getSourceManager())))
        return false;
    return llvm::all_of(Init->children(), [&](const Stmt *Child) {
      return !Child || isStill(Child, V);
    });
  }

  /// What E is at most, if it is nothing below zero in any thread, and no part
  /// of it more than an int.
  std::optional<int64_t> greatest(const Expr *E) {
    E = E->IgnoreParens();
    if (auto Value = constant(E, Context))
      return *Value >= 0 && *Value <= MostNumber ? Value : std::nullopt;
    if (!E->getType()->isIntegerType() ||
        Context.getIntWidth(E->getType()) < 32)
      return std::nullopt;
    if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
      return ofRegister(P);
    if (const auto *C = dyn_cast<CastExpr>(E))
      return C->getSubExpr()->getType()->isIntegerType() &&
                     (C->getCastKind() == CK_LValueToRValue ||
                      C->getCastKind() == CK_NoOp ||
                      C->getCastKind() == CK_IntegralCast)
                 ? greatest(C->getSubExpr())
                 : std::nullopt;
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V && !isa<ParmVarDecl>(V) && V->getInit() && keeps(V)
                 ? greatest(V->getInit())
                 : std::nullopt;
    }
    const auto *B = dyn_cast<BinaryOperator>(E);
    auto L = B ? greatest(B->getLHS()) : std::nullopt,
         R = B ? greatest(B->getRHS()) : std::nullopt;
    if (!L || !R)
      return std::nullopt;
    int64_t Most = *L;
    switch (B->getOpcode()) {
    case BO_Add:
      Most = *L + *R;
      break;
    case BO_Mul:
      Most = *L * *R;
      break;
    case BO_Div:
    case BO_Rem:
    case BO_Shr:
      break;
    case BO_And:
      Most = std::min(*L, *R);
      break;
    default:
      return std::nullopt;
    }
    return Most <= MostNumber ? std::optional(Most) : std::nullopt;
  }

  /// `threadIdx.x`, `blockDim.y`.
  static std::optional<int64_t> ofRegister(const PseudoObjectExpr *P) {
    const auto R = specialRegister(P);
    return R && (R->isOf("threadIdx") || R->isOf("blockDim"))
               ? std::optional(1024)
               : std::nullopt;
  }
};

} // namespace

bool endsInTime(const CopyLoop &L, const TileLoop &Loop,
                const ASTContext &Context) {
  const auto *Cond = dyn_cast_or_null<BinaryOperator>(
      L.For->getCond() ? L.For->getCond()->IgnoreParenImpCasts() : nullptr);
  const auto *Inc = L.For->getInc() ? L.For->getInc()->IgnoreParens() : nullptr;
  if (!Cond || !Inc ||
      (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE) ||
      !L.Index->getInit())
    return false;
  auto isIndex = [&](const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return D && D->getDecl() == L.Index;
  };
  auto isInt = [&](QualType T) {
    return T->isSignedIntegerType() && Context.getIntWidth(T) >= 32;
  };
  // Nothing but the header moves it, by the step.
  int64_t Step = 0;
  const VariableChanges Moves = changesIn(L.For);
  if (const auto *U = dyn_cast<UnaryOperator>(Inc))
    Step = U->isIncrementOp() && isIndex(U->getSubExpr());
  else if (const auto *B = dyn_cast<CompoundAssignOperator>(Inc);
           B && B->getOpcode() == BO_AddAssign && isIndex(B->getLHS())) {
    Expr::EvalResult R;
    if (B->getRHS()->EvaluateAsInt(R, Context))
      Step = R.Val.getInt().getExtValue();
    else if (isa<PseudoObjectExpr>(B->getRHS()->IgnoreParenImpCasts()))
      for (unsigned Axis = 0; Axis != 3; ++Axis) // `blockDim.x`
        if (L.BlockAxes == 1u << Axis)
          Step = L.Block[Axis];
  }
  const size_t Changes = llvm::count_if(Moves.Found, [&](const DeclRefExpr *D) {
    return D->getDecl() == L.Index;
  });
  if (Step <= 0 || Changes != 1 || !Moves.Captured.empty() ||
      !isIndex(Cond->getLHS()) || !isInt(L.Index->getType()) ||
      !isInt(Cond->getLHS()->getType()) || !isInt(Cond->getRHS()->getType()))
    return false;
  auto Most =
      Distance(L, Loop, Context).most(Cond->getRHS(), L.Index->getInit());
  return Most &&
         *Most + (Cond->getOpcode() == BO_LE) <= int64_t(L.Trips) * Step;
}

} // namespace kpipe
