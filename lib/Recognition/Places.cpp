// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of stores as sums, see Places.h. What cannot be written as a sum is not
// Known, and then nothing is shown of it.

#include "Places.h"
#include "Code/AstUtils.h"
#include "Code/Ranges.h"
#include "CopyLoops.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

namespace {

/// Farther than any index goes; a bound there is none.
constexpr int64_t Far = int64_t(1) << 40;
constexpr int64_t MostFactor = 1 << 20;
constexpr unsigned MostDepth = 48;
/// Indices are numbers modulo 2^32, or more. Sums that differ are taken to be
/// different places only where their difference stays below the first of these,
/// or would reach 2^32 only after thousands of turns of a loop within one tile.
constexpr int64_t MostApart = int64_t(1) << 30;
constexpr int64_t MostSwing = 1 << 20;

int64_t near(int64_t V) { return std::clamp(V, -Far, Far); }

const Sum &unknown() {
  static const Sum S{{}, 0, false};
  return S;
}

Sum constant(int64_t C) {
  Sum S;
  S.Constant = C;
  S.Known = C > -Far && C < Far;
  return S;
}

Sum add(Sum A, const Sum &B, int64_t By = 1) {
  if (!A.Known || !B.Known)
    return unknown();
  for (const auto &[Key, Factor] : B.Terms) {
    int64_t &F = A.Terms[Key];
    F += Factor * By;
    if (std::abs(F) > MostFactor)
      return unknown();
    if (F == 0)
      A.Terms.erase(Key);
  }
  A.Constant += B.Constant * By;
  A.Known = std::abs(A.Constant) < Far;
  return A;
}

Sum times(const Sum &A, int64_t By) {
  return std::abs(By) > MostFactor ? unknown() : add(Sum(), A, By);
}

const Expr *strip(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = E->IgnoreParens();
    if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = S->getReplacement();
    else if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
      E = D->getExpr();
    if (E == Before)
      return E;
  }
}

/// `++i`, `--i`, `i += s`, `i -= s`: the step, null for 1; nothing for others.
std::optional<const Expr *> stepOf(const Expr *Inc) {
  Inc = Inc->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Inc); U && U->isIncrementDecrementOp())
    return nullptr;
  const auto *B = dyn_cast<BinaryOperator>(Inc);
  if (!B)
    return std::nullopt;
  if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign)
    return B->getRHS();
  const auto *Right = dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  const auto *To = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
  if (B->getOpcode() != BO_Assign || !Right || Right->getOpcode() != BO_Add || !To)
    return std::nullopt;
  if (const auto *From = dyn_cast<DeclRefExpr>(Right->getLHS()->IgnoreParenImpCasts());
      From && From->getDecl() == To->getDecl())
    return Right->getRHS();
  return std::nullopt;
}

std::string pointerKey(const void *P) {
  return std::to_string(reinterpret_cast<uintptr_t>(P));
}

} // namespace

Places::Places(const LoopFacts &Facts)
    : Facts(Facts), Known(Facts.In->context()) {
  for (unsigned I = 0; I != Facts.Items.size(); ++I)
    if (Facts.Tile.Body[I].InLoad)
      for (const VarDecl *V : Facts.Items[I].Writes)
        if (!Known.unchanged(V))
          Moving.insert(V);
}

std::string Places::keyOf(const Sum &S) const {
  std::string Key;
  for (const auto &[Term, Factor] : S.Terms)
    Key += std::to_string(Factor) + "*" + Term + "+";
  return Key + std::to_string(S.Constant);
}

std::set<InnerLoop> Places::loopsOf(const Sum &S) const {
  std::set<InnerLoop> All;
  for (const auto &[Term, Factor] : S.Terms)
    All.insert(Atoms.at(Term).Loops.begin(), Atoms.at(Term).Loops.end());
  return All;
}

/// What differences of S are multiples of; 0 if it never differs.
int64_t Places::grainOf(const Sum &S) const {
  int64_t G = 0;
  for (const auto &[Term, Factor] : S.Terms)
    G = std::gcd(G, Factor * Atoms.at(Term).Grain);
  return G;
}

static bool hasBounds(const Atom &A) { return A.Low > -Far && A.High < Far; }

/// The least and the greatest value, by the bounds of what it is made of.
std::optional<std::pair<int64_t, int64_t>> Places::boundsOf(const Sum &S) const {
  int64_t Low = S.Constant, High = S.Constant;
  for (const auto &[Term, Factor] : S.Terms) {
    const Atom &A = Atoms.at(Term);
    if (!hasBounds(A))
      return std::nullopt;
    Low += near(Factor * (Factor > 0 ? A.Low : A.High));
    High += near(Factor * (Factor > 0 ? A.High : A.Low));
  }
  return std::pair(Low, High);
}

/// Never below 0, nor so large that it would be read as negative.
bool Places::neverNegative(const Sum &S) const {
  auto Bounds = boundsOf(S);
  return Bounds && Bounds->first >= 0 && Bounds->second <= llvm::maxIntN(32);
}

/// What one turn of a loop changes an atom by; negative if not known.
static int64_t swingOf(const Atom &A) {
  if (A.Loops.empty())
    return 0;
  return hasBounds(A) ? A.High - A.Low : A.Swing;
}

int64_t Places::swingOf(const Sum &S) const {
  int64_t Sum = 0;
  for (const auto &[Term, Factor] : S.Terms) {
    int64_t Swing = kpipe::swingOf(Atoms.at(Term));
    if (Swing < 0)
      return -1;
    Sum = near(Sum + near(std::abs(Factor) * std::min(Swing, Far >> 20)));
  }
  return Sum;
}

/// Factor times the difference of two values of an atom does not reach 2^32.
static bool neverWraps(const Atom &A, int64_t Factor) {
  Factor = std::abs(Factor);
  if (hasBounds(A))
    return A.High - A.Low < MostApart / std::max<int64_t>(Factor, 1);
  int64_t Swing = swingOf(A);
  return Swing >= 0 && Swing <= MostSwing / std::max<int64_t>(Factor, 1);
}

bool Places::neverWraps(const Sum &S, int64_t By) const {
  return llvm::all_of(S.Terms, [&](const auto &Term) {
    return std::abs(Term.second) <= MostFactor / std::max<int64_t>(By, 1) &&
           kpipe::neverWraps(Atoms.at(Term.first), Term.second * By);
  });
}

/// Declared before the loop, in the loop's own function.
bool Places::isOutside(const VarDecl *V, const Scope &In) const {
  return !In.caller() && In.context().getSourceManager().isBeforeInTranslationUnit(
                             V->getLocation(), Facts.Tile.Loop->getBeginLoc());
}

Sum Places::atom(std::string Key, Atom A) {
  if (!A.isBounded())
    A.Low = -Far, A.High = Far;
  Atoms.try_emplace(Key, std::move(A));
  Sum S;
  S.Terms[Key] = 1;
  return S;
}

void Places::bound(const Expr *E, Atom &A) {
  Extent3 Axes{1024, 1024, 64};
  for (const FunctionDecl *D : Facts.Tile.Function->redecls())
    if (const auto *L = D->getAttr<CUDALaunchBoundsAttr>())
      if (auto Most = constantValue(L->getMaxThreads(), Facts.In->context());
          Most && *Most > 0 && *Most <= 1024)
        for (unsigned &Axis : Axes)
          Axis = std::min<unsigned>(Axis, *Most);
  Ranges R(Facts.In->context(), Known, Axes);
  for (const auto &[L, In] : Around)
    R.enter(L.For);
  if (auto Found = R.of(E)) {
    A.Low = near(Found->Low);
    A.High = near(Found->High);
  }
}

Sum Places::sum(const Expr *E, const Scope &In) {
  if (Depth >= MostDepth)
    return unknown();
  ++Depth;
  Sum S = sumOf(strip(E), In);
  --Depth;
  return S;
}

Sum Places::sumOf(const Expr *E, const Scope &In) {
  if (!E->getType()->isIntegralOrEnumerationType())
    return unknown();
  ASTContext &Context = In.context();
  // `-1u` takes one away.
  if (auto C = Known.evaluate(E))
    return constant(Context.getIntWidth(E->getType()) == 32
                        ? llvm::SignExtend64<32>(*C)
                        : *C);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = C->getSubExpr();
    // It is the cast that reads.
    if (C->getCastKind() == CK_LValueToRValue)
      return isa<DeclRefExpr>(strip(Sub)) ? sum(Sub, In) : opaque(E, In);
    if (C->getCastKind() == CK_NoOp)
      return sum(Sub, In);
    if (C->getCastKind() == CK_IntegralCast &&
        Context.getIntWidth(C->getType()) >=
            std::min(32u, Context.getIntWidth(Sub->getType())))
      return sum(Sub, In);
    return opaque(E, In);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Minus)
      return times(sum(U->getSubExpr(), In), -1);
    return U->getOpcode() == UO_Plus ? sum(U->getSubExpr(), In) : opaque(E, In);
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B, In);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return variable(V, In);
  return opaque(E, In);
}

Sum Places::divided(const Expr *E, Sum X, int64_t By, bool Rest, bool Bits) {
  Sum Whole, Left; // multiples of By, and what is left
  for (const auto &[Term, Factor] : X.Terms)
    (Factor % By ? Left : Whole).Terms[Term] = Factor;
  (X.Constant % By ? Left : Whole).Constant = X.Constant;
  // Sums that are divided part by part must not round another way.
  bool Split = neverNegative(X) && neverNegative(Left);
  if (Left.Terms.empty() && Left.Constant == 0)
    Split |= !Bits;
  if (!Split) {
    Left = X;
    Whole = Sum();
  }
  Sum Out;
  if (!Rest)
    for (const auto &[Term, Factor] : Whole.Terms)
      Out.Terms[Term] = Factor / By;
  if (!Rest)
    Out.Constant = Whole.Constant / By;
  if (Left.Terms.empty() && Left.Constant == 0)
    return Out;
  bool Positive = neverNegative(Left);
  Atom A;
  A.Kind = Rest ? Atom::Remainder : Atom::Quotient;
  A.Loops = loopsOf(Left);
  A.X = Left;
  A.Divisor = By;
  if (Rest) {
    A.Grain = std::max<int64_t>(1, std::gcd(grainOf(Left), By));
    // What wraps around keeps its last bits alone.
    if (Bits && !Positive)
      A.Grain &= -A.Grain;
    A.Low = Positive || Bits ? 0 : 1 - By;
    A.High = By - 1;
  } else {
    if (!Split || Whole.Terms.empty())
      bound(E, A);
    auto Bounds = boundsOf(Left);
    if (!A.isBounded() && Positive && Bounds)
      A.Low = Bounds->first / By, A.High = Bounds->second / By;
    if (int64_t Swing = swingOf(Left); Swing >= 0)
      A.Swing = Swing / By + 1;
  }
  // A sum that may be negative, or wraps, is divided by its type's rules.
  std::string Family;
  if (Bits && !Positive) {
    QualType T = cast<BinaryOperator>(E)->getLHS()->getType();
    Family = (T->isUnsignedIntegerOrEnumerationType() ? "bits" : "floor") +
             std::to_string(Facts.In->context().getIntWidth(T));
  }
  return add(Out, atom("(" + keyOf(Left) + ")" + Family + (Rest ? "%" : "/") +
                           std::to_string(By),
                       std::move(A)));
}

Sum Places::binary(const BinaryOperator *B, const Scope &In) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  auto By = Known.evaluate(R);
  switch (B->getOpcode()) {
  case BO_Add:
    return add(sum(L, In), sum(R, In));
  case BO_Sub:
    return add(sum(L, In), sum(R, In), -1);
  case BO_Shl:
    return By && *By >= 0 && *By < 20 ? times(sum(L, In), int64_t(1) << *By)
                                      : opaque(B, In);
  case BO_Div:
  case BO_Rem:
  case BO_Shr:
  case BO_And: {
    bool Bits = B->getOpcode() == BO_Shr || B->getOpcode() == BO_And;
    bool Rest = B->getOpcode() == BO_Rem || B->getOpcode() == BO_And;
    if (!By && B->getOpcode() == BO_And)
      if ((By = Known.evaluate(L)))
        std::swap(L, R);
    if (!By || *By < 0)
      return opaque(B, In);
    if (B->getOpcode() == BO_Shr)
      By = *By < 20 ? int64_t(1) << *By : 0;
    else if (B->getOpcode() == BO_And)
      By = llvm::isMask_64(*By) ? *By + 1 : 0;
    Sum X = sum(L, In);
    if (*By <= 0 || !X.Known)
      return opaque(B, In);
    return divided(B, X, *By, Rest,
                   Bits || L->getType()->isUnsignedIntegerType());
  }
  case BO_Mul: {
    Sum X = sum(L, In), Y = sum(R, In);
    if (Y.Known && Y.Terms.empty())
      return times(X, Y.Constant);
    if (X.Known && X.Terms.empty())
      return times(Y, X.Constant);
    if (!X.Known || !Y.Known)
      return unknown();
    // By what is never 0, as blockDim.x.
    Atom Factor;
    bound(R, Factor);
    if (!Factor.isBounded() || Factor.Low <= 0) {
      std::swap(X, Y);
      Factor = Atom();
      bound(L, Factor);
    }
    Atom A;
    const bool Positive = Factor.isBounded() && Factor.Low > 0;
    if (Positive && neverWraps(X, Factor.High))
      A.Kind = Atom::Product;
    if (int64_t Swing = swingOf(X); Positive && Swing >= 0 && swingOf(Y) == 0)
      A.Swing = near(std::min(Swing, Far >> 20) * std::min<int64_t>(Factor.High, 1 << 20));
    A.X = X;
    A.Y = Y;
    A.Loops = loopsOf(X);
    std::set<InnerLoop> More = loopsOf(Y);
    A.Loops.insert(More.begin(), More.end());
    bound(B, A);
    return atom("(" + keyOf(X) + ")*(" + keyOf(Y) + ")", std::move(A));
  }
  case BO_Xor: {
    Atom A;
    A.Kind = Atom::Xor;
    A.X = sum(L, In);
    A.Y = sum(R, In);
    if (!A.X.Known || !A.Y.Known)
      return unknown();
    A.Loops = loopsOf(A.X);
    std::set<InnerLoop> More = loopsOf(A.Y);
    A.Loops.insert(More.begin(), More.end());
    auto X = boundsOf(A.X), Y = boundsOf(A.Y);
    if (X && Y && X->first >= 0 && Y->first >= 0 && X->second < MostApart &&
        Y->second < MostApart) {
      A.Low = 0;
      A.High = int64_t(llvm::NextPowerOf2(std::max(X->second, Y->second))) - 1;
    }
    bound(B, A);
    return atom("(" + keyOf(A.X) + ")^(" + keyOf(A.Y) + ")", std::move(A));
  }
  default:
    return opaque(B, In);
  }
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

Sum Places::variable(const VarDecl *V, const Scope &In) {
  const CallExpr *Here = In.caller() ? Call : nullptr;
  const SourceManager &SM = In.context().getSourceManager();
  for (const auto &[L, Within] : llvm::reverse(Around)) {
    if (L.Index != V || Within != Here || !L.Init)
      continue;
    Atom A;
    A.Loops = {{L.For, Within}};
    if (auto Step = stepOf(L.For->getInc())) {
      Atom By;
      if (*Step)
        bound(*Step, By);
      auto Fixed = *Step ? Known.evaluate(*Step) : std::optional<int64_t>(1);
      if (Fixed && In.context().getIntWidth(V->getType()) <= 32)
        Fixed = llvm::SignExtend64<32>(*Fixed);
      if (Fixed && *Fixed)
        A.Grain = std::abs(*Fixed);
      if ((Fixed && *Fixed) || (!Fixed && By.isBounded() && By.Low > 0)) {
        A.Kind = countsOn(L, A.Grain, In) ? Atom::Counter : Atom::Value;
        A.Swing = Fixed ? A.Grain : By.High;
      }
    }
    if (A.Kind != Atom::Counter) {
      A.Grain = 1;
      A.Swing = -1;
    } else if (L.Trips && L.Trips <= 1 << 20) {
      A.Low = 0;
      A.High = near(A.Grain * int64_t(L.Trips - 1));
    } else if (L.ConstantInit) {
      // From the variable's own bounds.
      Ranges R(In.context(), Known, {1024, 1024, 64});
      R.enter(L.For);
      auto First = Known.evaluate(L.Init);
      for (const Stmt *Child : L.For->getCond()->children())
        if (const auto *E = dyn_cast_or_null<Expr>(Child))
          if (const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
              D && D->getDecl() == V)
            if (auto Found = R.of(E); Found && First) {
              A.Low = near(Found->Low - *First);
              A.High = near(Found->High - *First);
            }
    }
    return add(sum(L.Init, In),
               atom("n" + pointerKey(L.For) + "@" + pointerKey(Within),
                    std::move(A)));
  }
  bool Steady = Known.unchanged(V) || V->hasAttr<CUDAConstantAttr>();
  if (!Steady && (Moving.count(V) || In.caller()))
    return unknown();
  Atom A;
  for (const auto &[L, Within] : Around)
    if (Within == Here &&
        SM.isBeforeInTranslationUnit(L.For->getBeginLoc(), V->getLocation()) &&
        SM.isBeforeInTranslationUnit(V->getLocation(), L.For->getEndLoc()))
      A.Loops.insert({L.For, Within});
  if (Steady && isa<ParmVarDecl>(V)) {
    if (const Expr *Given = In.argument(V))
      return sum(Given, *In.caller());
  } else if (Steady && V->hasLocalStorage() && V->hasInit()) {
    Sum S = sum(V->getInit(), In);
    // What it was made of may have changed since.
    if (S.Known && llvm::none_of(S.Terms, [](const auto &T) {
          return T.first[0] == '~';
        }))
      return S;
    // A value of its own, in each turn that declares it.
    if (!S.Known && (!A.Loops.empty() || (In.caller() && !AroundSet.empty())))
      return unknown();
    std::set<InnerLoop> Loops = loopsOf(S);
    A.Loops.insert(Loops.begin(), Loops.end());
  }
  // What it names may have changed.
  if (V->getType()->isReferenceType())
    return unknown();
  if (V->getType()->isIntegralOrEnumerationType() && !V->getType()->isBooleanType())
    if (const Expr *Init = Steady && !isa<ParmVarDecl>(V) ? V->getInit() : nullptr)
      bound(Init, A);
  return atom((Steady ? "v" : "~") + pointerKey(V) + "@" + pointerKey(Here),
              std::move(A));
}

/// A value that is a function of the variables in it, and of what it reads.
Sum Places::opaque(const Expr *E, const Scope &In) {
  const Effects Of = effectsOf(E, In);
  if (!Of.isPure())
    return unknown();
  struct Finder : ConstDynamicRecursiveASTVisitor {
    VarSet Found;
    bool Bindings = false;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        Found.insert(V);
      Bindings |= isa<BindingDecl>(D->getDecl());
      return true;
    }
    bool VisitCXXThisExpr(const CXXThisExpr *) override { return Bindings = true; }
  } Find;
  Find.TraverseStmt(E);
  // Names of parts of objects, which nobody here knows.
  if (Find.Bindings)
    return unknown();
  Atom A;
  bool Changed = false;
  for (const VarDecl *V : Find.Found) {
    if (!V->hasLocalStorage())
      continue; // threadIdx and its kin, constant memory
    if (!V->getType()->isIntegralOrEnumerationType()) {
      if (!isOutside(V, In) || Moving.count(V))
        A.Loops.insert(AroundSet.begin(), AroundSet.end());
      continue;
    }
    Sum S = variable(V, In);
    if (!S.Known)
      return S;
    std::set<InnerLoop> Loops = loopsOf(S);
    A.Loops.insert(Loops.begin(), Loops.end());
    for (const auto &[Term, Factor] : S.Terms)
      Changed |= Term[0] == '~';
  }
  // What is read by other names, and objects: they must stay while a tile is
  // loaded, and may have been others when a variable was made of them.
  for (const VarDecl *V : Of.Reads) {
    if (Known.unchanged(V))
      continue;
    const bool Named =
        Find.Found.count(V) && V->getType()->isIntegralOrEnumerationType();
    if (!Named && (Moving.count(V) || In.caller()))
      return unknown();
    Changed = true;
  }
  for (const MemoryAccess &M : Of.Memory) {
    if (M.Root.Where == Space::Unknown || M.Volatile ||
        (M.Root.Where == Space::Shared &&
         llvm::any_of(Facts.Tile.Buffers, [&](const StagedBuffer &B) {
           return !M.Root.Var || B.Var == M.Root.Var;
         })))
      return unknown();
    Changed |= M.Root.Where != Space::Constant && !M.ReadOnly;
  }
  bound(E, A);
  llvm::FoldingSetNodeID ID;
  E->Profile(ID, In.context(), true);
  unsigned Number = 0;
  for (; Number != Seen.size() && Seen[Number] != ID; ++Number)
    ;
  if (Number == Seen.size())
    Seen.push_back(ID);
  // A parameter's profile is its number alone.
  bool Own = llvm::any_of(Find.Found, [](const VarDecl *V) {
    return V->hasLocalStorage();
  });
  return atom((Changed ? "~e" : "e") + std::to_string(Number) + "@" +
                  pointerKey(Own && In.caller() ? Call : nullptr),
              std::move(A));
}

StoredPlace Places::pointerVariable(const VarDecl *V, const Scope &In) {
  StoredPlace P;
  if (V->getType()->isArrayType()) {
    P.Known = true;
    P.Array = V;
    return P;
  }
  bool Reference = V->getType()->isReferenceType();
  if (!Reference && !Known.unchanged(V)) {
    // A place that does not move while the tile is loaded.
    if (!V->hasLocalStorage() || Moving.count(V) || In.caller())
      return P;
    P.Known = true;
    P.Array = V;
    return P;
  }
  const Expr *From = V->getInit();
  const Scope *Where = &In;
  if (isa<ParmVarDecl>(V)) {
    From = In.argument(V);
    Where = In.caller();
  }
  if (From && Where) {
    P = Reference ? lvalue(From, *Where) : pointer(From, *Where);
    if (P.Known && llvm::any_of(P.Bytes.Terms, [](const auto &T) {
          return T.first[0] == '~';
        })) {
      P = StoredPlace();
      // What it was made of may be another by now; itself it stays.
      P.Known = !Reference && isOutside(V, In);
      P.Array = V;
    }
    return P;
  }
  P.Known = V->hasLocalStorage() || V->hasAttr<CUDASharedAttr>();
  P.Array = V;
  return P;
}

static StoredPlace moved(StoredPlace P, const Sum &By, std::string Step) {
  P.Bytes = add(P.Bytes, By);
  P.Known &= P.Bytes.Known;
  P.Steps.push_back({std::move(Step), By});
  return P;
}

StoredPlace Places::pointer(const Expr *E, const Scope &In) {
  E = strip(E);
  if (++Depth >= MostDepth || !E->getType()->isPointerType()) {
    --Depth;
    return {};
  }
  auto Size = [&](QualType T) {
    return T->isIncompleteType() || T->isVoidType()
               ? int64_t(1)
               : In.context().getTypeSizeInChars(T).getQuantity();
  };
  StoredPlace P;
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      P = lvalue(C->getSubExpr(), In);
    else if (C->getCastKind() == CK_LValueToRValue) {
      if (const auto *D = dyn_cast<DeclRefExpr>(strip(C->getSubExpr())))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          P = pointerVariable(V, In);
    } else if (C->getCastKind() == CK_BitCast || C->getCastKind() == CK_NoOp) {
      P = pointer(C->getSubExpr(), In);
      // Another view of the memory has other indices.
      if (C->getCastKind() == CK_BitCast)
        P.Steps.push_back({"view", Sum()});
    }
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      P = lvalue(U->getSubExpr(), In);
  } else if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp()) {
    const Expr *L = B->getLHS(), *R = B->getRHS();
    if (!L->getType()->isPointerType())
      std::swap(L, R);
    int64_t Bytes = Size(E->getType()->getPointeeType());
    Sum By = times(sum(R, In), B->getOpcode() == BO_Sub ? -Bytes : Bytes);
    P = moved(pointer(L, In), By, std::to_string(Bytes));
  } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      P = pointerVariable(V, In);
  }
  --Depth;
  return P;
}

StoredPlace Places::lvalue(const Expr *E, const Scope &In) {
  E = strip(E);
  StoredPlace P;
  if (++Depth >= MostDepth) {
    --Depth;
    return P;
  }
  ASTContext &Context = In.context();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      if (V->getType()->isReferenceType()) {
        P = pointerVariable(V, In);
      } else {
        P.Known = true;
        P.Array = V;
      }
    }
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (!E->getType()->isIncompleteType()) {
      int64_t Bytes = Context.getTypeSizeInChars(E->getType()).getQuantity();
      P = moved(pointer(A->getBase(), In), times(sum(A->getIdx(), In), Bytes),
                std::to_string(Bytes));
    }
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
        F && !F->isBitField() && !F->getType()->isReferenceType()) {
      P = M->isArrow() ? pointer(M->getBase(), In) : lvalue(M->getBase(), In);
      P = moved(P, constant(Context.getFieldOffset(F) / 8),
                "." + F->getNameAsString());
      // Members of a union are one place.
      if (F->getParent()->isUnion())
        P.Steps.push_back({"view", Sum()});
    }
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref) {
    P = pointer(U->getSubExpr(), In);
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast) {
      P = lvalue(C->getSubExpr(), In);
      if (C->getCastKind() == CK_LValueBitCast)
        P.Steps.push_back({"view", Sum()});
    }
  }
  --Depth;
  return P;
}

/// The loops and the `if`s of Root around Target.
void Places::surround(const Stmt *Root, const Stmt *Target, const Scope &In,
                      PlacedStore &Out) {
  const CallExpr *Here = In.caller() ? Call : nullptr;
  llvm::SmallVector<std::pair<const Stmt *, int>, 8> Path, Found;
  bool Labels = false;
  auto Walk = [&](auto &Self, const Stmt *S, bool Inside) -> bool {
    if (!S)
      return false;
    Labels |= isa<LabelStmt>(S);
    if (S == Target)
      return true;
    if (isa<LambdaExpr>(S))
      return false;
    for (const Stmt *Child : S->children()) {
      int Branch = -1;
      if (const auto *I = dyn_cast<IfStmt>(S))
        Branch = Child == I->getThen() ? 1 : Child == I->getElse() ? 0 : -1;
      Path.push_back({S, Branch});
      if (Self(Self, Child, Inside)) {
        Path.pop_back();
        Found.push_back({S, Branch});
        return true;
      }
      Path.pop_back();
    }
    return false;
  };
  Walk(Walk, Root, false);
  for (auto &[S, Branch] : llvm::reverse(Found)) {
    if (isa<IfStmt>(S) && Branch >= 0)
      Out.Branches[{S, Here}] = Branch;
    if (!isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      continue;
    // `do … while (0)`, as macros are written.
    if (const auto *D = dyn_cast<DoStmt>(S);
        D && constantValue(D->getCond(), In.context()) == 0)
      continue;
    Out.Loops.insert({S, Here});
    if (const auto *F = dyn_cast<ForStmt>(S))
      Around.push_back({describeCopyLoop(F, In), Here});
  }
  // A jump back is a loop that nobody sees.
  if (Labels)
    Out.Loops.insert({nullptr, Here});
}

PlacedStore Places::of(const TileCopy &C) {
  PlacedStore Out;
  Out.Store = C.Store;
  Out.Call = C.HelperCall;
  Out.Through = C.Through;
  Out.Bytes = C.Bytes;
  Around.clear();
  Call = C.HelperCall;
  const Stmt *Outer = C.HelperCall ? static_cast<const Stmt *>(C.HelperCall)
                                   : C.Store;
  for (const BodyItem &I : Facts.Tile.Body)
    if (I.InLoad)
      surround(I.S, Outer, *Facts.In, Out);
  std::optional<Scope> Callee;
  if (C.Helper) {
    llvm::SmallVector<const Expr *, 8> Args(C.HelperCall->arguments());
    Callee.emplace(*Facts.In, C.Helper, Args);
    surround(C.Helper->getBody(), C.Store, *Callee, Out);
  }
  AroundSet = Out.Loops;
  Out.Place = lvalue(C.Dst, Callee ? *Callee : *Facts.In);
  // What other loops change from turn to turn is not followed.
  for (const InnerLoop &L : Out.Loops)
    Out.Place.Known &= L.first && isa<ForStmt>(L.first);
  return Out;
}

/// Two executions whose bytes meet, and what follows of that.
struct Places::Meeting {
  const std::map<std::string, Atom> &Atoms;
  std::set<InnerLoop> SameLoops;
  std::set<std::string> Same;
  bool Impossible = false;
  /// Bytes meet whatever the rest is.
  bool Certain = false;

  struct Equation {
    Sum A, B;
    int64_t Size;
  };
  std::vector<Equation> All;

  bool equal(const std::string &Key) const {
    if (Same.count(Key))
      return true;
    for (const InnerLoop &L : Atoms.at(Key).Loops)
      if (!SameLoops.count(L))
        return false;
    return true;
  }
  bool equal(const Sum &S) const {
    return llvm::all_of(S.Terms, [&](const auto &T) { return equal(T.first); });
  }

  struct Unknown {
    std::string Key; ///< of an atom in both; empty for a part of one side
    int64_t Factor, Grain, Low, High;
    int64_t weight() const { return std::abs(Factor) * Grain; }
    int64_t least() const { return std::min(Factor * Low, Factor * High); }
    int64_t most() const { return std::max(Factor * Low, Factor * High); }
  };

  /// |A - B| < Size: what has to be 0 for that. True if something was learnt.
  bool learn(const Equation &E) {
    int64_t Distance = E.A.Constant - E.B.Constant;
    std::vector<Unknown> Left;
    std::set<std::string> Keys;
    for (const auto &[Key, F] : E.A.Terms)
      Keys.insert(Key);
    for (const auto &[Key, F] : E.B.Terms)
      Keys.insert(Key);
    bool Wraps = false; // differs by 2^32 while the places are one
    auto Alone = [&](const Atom &A, int64_t F) {
      Wraps |= !hasBounds(A) || !kpipe::neverWraps(A, F);
      Distance += F * A.Low;
      bool Even = A.Kind == Atom::Counter && A.Low % A.Grain == 0;
      Left.push_back({"", F, Even ? A.Grain : 1, 0,
                      std::min(Far, A.High - A.Low)});
      if (A.Low <= -Far || A.High >= Far) {
        Distance -= F * A.Low;
        Left.back().Low = -Far;
        Left.back().High = Far;
        Left.back().Grain = A.Kind == Atom::Counter ? A.Grain : 1;
      }
    };
    for (const std::string &Key : Keys) {
      const Atom &A = Atoms.at(Key);
      auto ItA = E.A.Terms.find(Key), ItB = E.B.Terms.find(Key);
      int64_t InA = ItA == E.A.Terms.end() ? 0 : ItA->second;
      int64_t InB = ItB == E.B.Terms.end() ? 0 : ItB->second;
      if (equal(Key)) {
        if (InA != InB)
          Alone(A, InA - InB);
      } else if (InA == InB) {
        Wraps |= !kpipe::neverWraps(A, InA);
        int64_t Width = std::min(Far, A.High - A.Low);
        Left.push_back({Key, InA, A.Grain, -Width, Width});
      } else {
        if (InA)
          Alone(A, InA);
        if (InB)
          Alone(A, -InB);
      }
    }
    if (Wraps || std::abs(Distance) >= MostApart)
      return false;
    int64_t Grain = 0, Low = Distance, High = Distance;
    for (const Unknown &U : Left) {
      Grain = std::gcd(Grain, U.weight());
      Low += std::max(U.least(), -(Far << 10));
      High += std::min(U.most(), Far << 10);
    }
    if (Low >= E.Size || High <= -E.Size)
      return Impossible = true;
    if (Grain > 0) {
      int64_t Over = ((Distance % Grain) + Grain) % Grain;
      if (Over >= E.Size && Grain - Over >= E.Size)
        return Impossible = true;
    }
    bool Learnt = false;
    llvm::stable_sort(Left, [](const Unknown &X, const Unknown &Y) {
      return X.weight() > Y.weight();
    });
    for (size_t I = 0; I != Left.size(); ++I) {
      int64_t Least = Distance, Most = Distance;
      for (size_t J = I + 1; J != Left.size(); ++J) {
        Least += std::max(Left[J].least(), -(Far << 10));
        Most += std::min(Left[J].most(), Far << 10);
      }
      int64_t Rest = std::max(std::abs(Least), std::abs(Most)) + E.Size - 1;
      if (Left[I].weight() <= Rest)
        return Learnt;
      if (!Left[I].Key.empty())
        Learnt |= Same.insert(Left[I].Key).second;
    }
    // Nothing is left that differs.
    if (std::abs(Distance) >= E.Size)
      return Impossible = true;
    Certain |= E.Size > 1 && Left.empty();
    return Learnt;
  }

  /// What the parts of equal atoms tell.
  void spread() {
    for (const auto &[Key, A] : Atoms) {
      if (!Same.count(Key))
        continue;
      if (A.Kind == Atom::Counter)
        SameLoops.insert(A.Loops.begin(), A.Loops.end());
      if (A.Kind == Atom::Xor && equal(A.X))
        All.push_back({A.Y, A.Y, 1});
      if ((A.Kind == Atom::Xor || A.Kind == Atom::Product) && equal(A.Y))
        All.push_back({A.X, A.X, 1});
      if (A.Kind == Atom::Quotient) {
        std::string Other = Key;
        Other[Other.rfind('/')] = '%';
        if (Atoms.count(Other) && equal(Other))
          All.push_back({A.X, A.X, 1});
      }
    }
  }

  void run() {
    for (unsigned Round = 0; Round != 16 && !Impossible; ++Round) {
      bool Learnt = false;
      for (size_t I = 0; I != All.size() && !Impossible; ++I)
        Learnt |= learn(All[I]);
      size_t Loops = SameLoops.size();
      size_t First = All.size();
      spread();
      for (size_t I = First; I != All.size() && !Impossible; ++I)
        Learnt |= learn(All[I]);
      All.resize(First);
      if (!Learnt && Loops == SameLoops.size())
        return;
    }
  }
};

/// Steps of one size are one index. A cast, or a larger step after a smaller
/// one, makes something else of what comes before: no steps then.
static std::vector<std::pair<std::string, Sum>>
merged(const std::vector<std::pair<std::string, Sum>> &Steps) {
  std::vector<std::pair<std::string, Sum>> Out;
  int64_t Last = 0;
  for (const auto &[Step, By] : Steps) {
    if (Step == "view")
      return {};
    if (Step[0] == '.') {
      Out.push_back({Step, By});
      Last = 0;
      continue;
    }
    int64_t Bytes = std::stoll(Step);
    if (Last && Bytes > Last)
      return {};
    if (Last == Bytes)
      Out.back().second = add(Out.back().second, By);
    else
      Out.push_back({Step, By});
    Last = Bytes;
  }
  return Out;
}

bool Places::apart(const PlacedStore &A, const PlacedStore &B) const {
  bool One = &A == &B || (A.Store == B.Store && A.Call == B.Call);
  if (One && A.Loops.empty())
    return true;
  std::set<InnerLoop> Common;
  for (const InnerLoop &L : A.Loops)
    if (B.Loops.count(L))
      Common.insert(L);
  bool Exclusive = One || llvm::any_of(A.Branches, [&](const auto &Branch) {
                     auto It = B.Branches.find(Branch.first);
                     return It != B.Branches.end() &&
                            It->second != Branch.second;
                   });
  if (Exclusive && Common.empty())
    return true;
  if (!A.Place.Known || !B.Place.Known)
    return false;
  if (A.Place.Array != B.Place.Array)
    return false;
  auto Decide = [&](Meeting &M) {
    M.run();
    if (M.Impossible)
      return true;
    return Exclusive && llvm::all_of(Common, [&](const InnerLoop &L) {
             return M.SameLoops.count(L) != 0;
           });
  };
  int64_t Size = std::max(A.Bytes, B.Bytes);
  Meeting Flat{Atoms, {}, {}, false, false, {{A.Place.Bytes, B.Place.Bytes, Size}}};
  if (Decide(Flat))
    return true;
  if (Flat.Certain)
    return false;
  // Parts that were carved out of dynamic shared memory are taken to be apart.
  if (A.Through != B.Through)
    return true;
  // Indices stay inside their dimension, members are apart.
  auto X = merged(A.Place.Steps), Y = merged(B.Place.Steps);
  Meeting Steps{Atoms, {}, {}, false, false, {}};
  for (size_t I = 0; I != std::min(X.size(), Y.size()); ++I) {
    if (X[I].first != Y[I].first) {
      // Two members of one object.
      if (X[I].first[0] == '.' && Y[I].first[0] == '.' &&
          llvm::all_of(llvm::seq<size_t>(0, I), [&](size_t J) {
            return X[J].first == Y[J].first;
          }))
        return true;
      return false;
    }
    Steps.All.push_back({X[I].second, Y[I].second, 1});
  }
  if (X.size() != Y.size() || X.empty())
    return false;
  if (X.back().first[0] != '.')
    Steps.All.back().Size = Size;
  return Decide(Steps);
}

} // namespace kpipe
