// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables as sums, and values that are atoms of their own, see
// ExpressionSums.h. The key of an atom that may have another value by the time
// it is compared begins with '~'.
#include "Code/AstUtils.h"
#include "Code/AsyncCalls.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "ExpressionSums.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

bool mayHaveChanged(const Sum &S) {
  return llvm::any_of(S.Terms,
                      [](const auto &Term) { return Term.first[0] == '~'; });
}

/// `++i`, `--i`, `i += s`, `i -= s`: the step, null for 1; nothing for others.
static std::optional<const Expr *> stepOf(const Expr *Inc) {
  Inc = Inc->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Inc);
      U && U->isIncrementDecrementOp())
    return nullptr;
  const auto *B = dyn_cast<BinaryOperator>(Inc);
  if (!B)
    return std::nullopt;
  if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign)
    return B->getRHS();
  const auto *Right =
      dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  const auto *To = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
  if (B->getOpcode() != BO_Assign || !Right || Right->getOpcode() != BO_Add ||
      !To)
    return std::nullopt;
  if (const auto *From =
          dyn_cast<DeclRefExpr>(Right->getLHS()->IgnoreParenImpCasts());
      From && From->getDecl() == To->getDecl())
    return Right->getRHS();
  return std::nullopt;
}

static std::string pointerKey(const void *P) {
  return std::to_string(reinterpret_cast<uintptr_t>(P));
}

/// Does the variable of a loop go on by its step in each turn? A narrow one is
/// cut off where the sum does not fit.
static bool countsOn(const CopyLoop &L, int64_t Step, const Scope &In) {
  const unsigned Bits = In.context().getIntWidth(L.Index->getType());
  if (Bits >= 32)
    return true;
  auto First = constantValue(L.Init, In.context());
  const bool Signed = L.Index->getType()->isSignedIntegerOrEnumerationType();
  const int64_t Most = Signed ? llvm::maxIntN(Bits) : llvm::maxUIntN(Bits);
  return First && L.Trips && L.Trips <= 1 << 16 &&
         *First + Step * int64_t(L.Trips) <= Most;
}

/// Is a value the same whenever it is asked for?
static bool isSteady(const Expr *E, Values &Known) {
  E = E->IgnoreParenImpCasts();
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return isSpecialRegister(P);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return groupQuery(C).has_value();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return !V || (!V->getType()->isReferenceType() && Known.unchanged(V));
  }
  const auto *U = dyn_cast<UnaryOperator>(E);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if ((U && (U->getOpcode() == UO_Deref || U->isIncrementDecrementOp())) ||
      (B && B->isAssignmentOp()) ||
      !isa<UnaryOperator, BinaryOperator, ConditionalOperator, CastExpr,
           FullExpr, SubstNonTypeTemplateParmExpr, IntegerLiteral,
           CharacterLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr>(E))
    return false;
  return isa<UnaryExprOrTypeTraitExpr>(E) ||
         llvm::all_of(E->children(), [&](const Stmt *Part) {
           return isSteady(cast<Expr>(Part), Known);
         });
}

/// The variable of a loop where its condition names it, or null.
static const Expr *testedIndex(const CopyLoop &L) {
  for (const Stmt *Child : L.For->getCond()->children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      if (const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
          D && D->getDecl() == L.Index)
        return E;
  return nullptr;
}

/// `i < rows` of a helper, where the call says how many: how far the variable
/// gets, at most.
std::optional<int64_t> ExpressionSums::givenEnd(const CopyLoop &L,
                                                const Scope &In) {
  const VarDecl *P = L.Bound ? namedBy(L.Bound) : nullptr;
  const auto *Cond =
      dyn_cast<BinaryOperator>(L.For->getCond()->IgnoreParenImpCasts());
  if (!P || !Cond || !testedIndex(L) || !In.argument(P) || !Known.unchanged(P))
    return std::nullopt;
  auto End = Known.evaluate(In.argument(P));
  auto First = ranges().of(L.Init);
  // Below zero it is a great number where the counter has no sign.
  if (!End || *End < 0 || !First)
    return std::nullopt;
  if (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE)
    return std::nullopt;
  const bool OrEqual = Cond->getOpcode() == BO_LE;
  return std::max<int64_t>(*End - !OrEqual - First->Low, 0);
}

/// What was counted is how far the variable is from its first value, so its own
/// bounds tell. It has gone up or down all the way.
void ExpressionSums::boundCounter(const CopyLoop &L, Atom &A) {
  Ranges R = ranges();
  const Expr *Index = testedIndex(L);
  auto First = R.of(L.Init);
  auto All = Index ? R.of(Index) : std::nullopt;
  auto Up = First ? R.goesUp(L.For, *First) : std::nullopt;
  if (!All || !Up)
    return;
  A.Low = *Up ? 0 : nearZero(All->Low - First->High);
  A.High = *Up ? nearZero(All->High - First->Low) : 0;
}

Sum ExpressionSums::counter(const CopyLoop &L, const CallExpr *Within,
                            const Scope &In) {
  Atom A;
  A.Loops = {{L.For, Within}};
  if (auto Step = stepOf(L.For->getInc())) {
    auto By = *Step ? ranges().of(*Step) : std::nullopt;
    auto Fixed = *Step ? Known.evaluate(*Step) : std::optional<int64_t>(1);
    // `i += threads`, where the call says how many.
    if (const VarDecl *P = *Step ? namedBy(*Step) : nullptr;
        P && !Fixed && In.argument(P) && Known.unchanged(P))
      Fixed = Known.evaluate(In.argument(P));
    if (Fixed && In.context().getIntWidth(L.Index->getType()) <= 32)
      Fixed = llvm::SignExtend64<32>(*Fixed);
    if (Fixed && *Fixed)
      A.Grain = std::abs(*Fixed);
    // A step that is always 0 would never end; one that is at times makes two
    // turns of one.
    const bool Positive =
        !Fixed && By &&
        (By->Low > 0 || (By->Low == 0 && isSteady(*Step, Known)));
    if (Positive)
      A.Grain = nearZero(By->divisor());
    if ((Fixed && *Fixed) || Positive) {
      A.Kind = countsOn(L, A.Grain, In) ? Atom::Counter : Atom::Value;
      A.Swing = Fixed ? A.Grain : nearZero(By->High);
    }
  }
  if (A.Kind != Atom::Counter) {
    A.Grain = 1;
    A.Swing = -1;
  } else if (L.Trips && L.Trips <= 1 << 20) {
    A.Low = 0;
    A.High = nearZero(A.Grain * int64_t(L.Trips - 1));
  } else if (auto End = givenEnd(L, In)) {
    A.Low = 0;
    A.High = nearZero(*End);
  } else {
    boundCounter(L, A);
  }
  return add(of(L.Init, In),
             Atoms.add("n" + pointerKey(L.For) + "@" + pointerKey(Within),
                       std::move(A)));
}

Sum ExpressionSums::variable(const VarDecl *V, const Scope &In) {
  const CallExpr *Here = In.caller() ? At.Call : nullptr;
  const SourceManager &SM = In.context().getSourceManager();
  for (const auto &[L, Within] : llvm::reverse(At.Around))
    if (L.Index == V && Within == Here && L.Init)
      return counter(L, Within, In);
  bool Steady = Known.unchanged(V) || V->hasAttr<CUDAConstantAttr>();
  if (!Steady && (Moving.count(V) || In.caller()))
    return Sum::unknown();
  Atom A;
  for (const auto &[L, Within] : At.Around)
    if (Within == Here &&
        SM.isBeforeInTranslationUnit(L.For->getBeginLoc(), V->getLocation()) &&
        SM.isBeforeInTranslationUnit(V->getLocation(), L.For->getEndLoc()))
      A.Loops.insert({L.For, Within});
  if (Steady && isa<ParmVarDecl>(V)) {
    if (const Expr *Given = In.argument(V))
      return of(Given, *In.caller());
  } else if (Steady && V->hasLocalStorage() && V->hasInit()) {
    Sum S = of(V->getInit(), In);
    // What it was made of may have changed since.
    if (S.Known && !mayHaveChanged(S))
      return S;
    // A value of its own, in each turn that declares it.
    if (!S.Known && (!A.Loops.empty() || (In.caller() && !At.Loops.empty())))
      return Sum::unknown();
    std::set<InnerLoop> Loops = Atoms.loopsOf(S);
    A.Loops.insert(Loops.begin(), Loops.end());
  }
  // What it names may have changed.
  if (V->getType()->isReferenceType())
    return Sum::unknown();
  if (V->getType()->isIntegralOrEnumerationType() &&
      !V->getType()->isBooleanType())
    if (const Expr *Init =
            Steady && !isa<ParmVarDecl>(V) ? V->getInit() : nullptr)
      bound(Init, A);
  return Atoms.add((Steady ? "v" : "~") + pointerKey(V) + "@" +
                       pointerKey(Here),
                   std::move(A));
}

std::string ExpressionSums::numberOf(const Expr *E, const Scope &In) {
  llvm::FoldingSetNodeID ID;
  E->Profile(ID, In.context(), true);
  unsigned Number = 0;
  for (; Number != Seen.size() && Seen[Number] != ID; ++Number)
    ;
  if (Number == Seen.size())
    Seen.push_back(ID);
  return std::to_string(Number);
}

Sum ExpressionSums::opaque(const Expr *E, const Scope &In) {
  const Effects Of = effectsOf(E, In);
  if (!Of.isPure())
    return Sum::unknown();
  struct Finder : ConstDynamicRecursiveASTVisitor {
    VarSet Found;
    bool Bindings = false;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        Found.insert(V);
      Bindings |= isa<BindingDecl>(D->getDecl());
      return true;
    }
    bool VisitCXXThisExpr(const CXXThisExpr *) override {
      return Bindings = true;
    }
  } Find;
  Find.TraverseStmt(E);
  // Names of parts of objects, which nobody here knows.
  if (Find.Bindings)
    return Sum::unknown();
  Atom A;
  bool Changed = false;
  for (const VarDecl *V : Find.Found) {
    if (!V->hasLocalStorage())
      continue; // threadIdx and its kin, constant memory
    if (!V->getType()->isIntegralOrEnumerationType()) {
      if (!isOutside(V, In) || Moving.count(V))
        A.Loops.insert(At.Loops.begin(), At.Loops.end());
      continue;
    }
    Sum S = variable(V, In);
    if (!S.Known)
      return S;
    std::set<InnerLoop> Loops = Atoms.loopsOf(S);
    A.Loops.insert(Loops.begin(), Loops.end());
    Changed |= mayHaveChanged(S);
  }
  // What is read by other names, and objects: they must stay while a tile is
  // loaded, and may have been others when a variable was made of them.
  for (const VarDecl *V : Of.Reads) {
    if (Known.unchanged(V))
      continue;
    const bool Named =
        Find.Found.count(V) && V->getType()->isIntegralOrEnumerationType();
    if (!Named && (Moving.count(V) || In.caller()))
      return Sum::unknown();
    Changed = true;
  }
  for (const MemoryAccess &M : Of.Memory) {
    if (M.Root.Where == Space::Unknown || M.Volatile ||
        (M.Root.Where == Space::Shared &&
         llvm::any_of(Facts.Tile.Buffers, [&](const StagedBuffer &B) {
           return !M.Root.Var || B.Var == M.Root.Var;
         })))
      return Sum::unknown();
    Changed |= M.Root.Where != Space::Constant && !M.ReadOnly;
  }
  bound(E, A);
  // A parameter's profile is its number alone.
  bool Own = llvm::any_of(
      Find.Found, [](const VarDecl *V) { return V->hasLocalStorage(); });
  return Atoms.add((Changed ? "~e" : "e") + numberOf(E, In) + "@" +
                       pointerKey(Own && In.caller() ? At.Call : nullptr),
                   std::move(A));
}

} // namespace kpipe
