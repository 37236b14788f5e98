// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BufferIndex.h. A variable that flips has two values, so that one step of
// each tells all turns.
#include "BufferIndex.h"
#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/SameForAll.h"

using namespace clang;

namespace kpipe {

TreeList turnOf(const Tree &Loop) { return statementsIn(*Loop.Kids.back()); }

static void findChanged(const Tree &T, bool Reads,
                        std::map<unsigned, unsigned> &Times) {
  const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
  if (T.is("DeclRefExpr") && T.Local && V && !Reads &&
      !V->getType().isConstQualified())
    ++Times[T.Local];
  const bool Loads =
      T.is("ImplicitCastExpr") &&
      (T.Label == "LValueToRValue" || T.Label == "ArrayToPointerDecay");
  for (const auto &Kid : T.Kids)
    findChanged(*Kid, Loads, Times);
}

void findChanged(const Tree &T, std::map<unsigned, unsigned> &Times) {
  findChanged(T, false, Times);
}

BufferIndex::BufferIndex(const Tree &Function, const Tree &Loop,
                         const ASTContext &Context)
    : Context(Context), Loop(Loop) {
  const Tree *Var = nullptr;
  for (const auto &Kid : Loop.Kids)
    if (Kid->is("DeclStmt") && Kid->Kids.size() == 1 && !Var)
      Var = &Kid->kid(0);
  if (Var && Var->is("Var") && Var->Kids.size() == 1) {
    Counter = Var->Local;
    Begin = known(Var->kid(0));
  }
  if (const auto *For = dyn_cast_or_null<ForStmt>(Loop.Origin);
      For && For->getInc() && Loop.Kids.size() >= 2) {
    const Tree &Inc = *Loop.Kids[Loop.Kids.size() - 2];
    if (Inc.is("UnaryOperator"))
      Step = 1;
    else if (Inc.is("CompoundAssignOperator") && Inc.Label == "+=") {
      StepIs = &Inc.kid(1);
      Step = known(*StepIs);
    }
  }
  findFlips(Function);
}

std::optional<int64_t> BufferIndex::known(const Tree &T) const {
  const Expr *E = exprOf(T);
  Expr::EvalResult Value;
  if (!E || E->isGLValue() || E->isValueDependent() ||
      !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(Value, Context) || Value.HasSideEffects)
    return std::nullopt;
  return Value.Val.getInt().getExtValue();
}

void BufferIndex::findFlips(const Tree &Function) {
  std::map<unsigned, unsigned> Times;
  findChanged(Function, Times);
  const TreeList Turn = turnOf(Loop);
  std::map<unsigned, const Tree *> Outer;
  eachNode(Function, [&](const Tree &T) {
    if (T.is("Var") && T.Kids.size() == 1)
      Outer.try_emplace(T.Local, &T.kid(0));
  });
  for (const auto &[Local, Init] : Outer)
    if (!Times.count(Local))
      Made[Local] = {Init, -1};
  for (int At = 0; At != int(Turn.size()); ++At) {
    eachNode(*Turn[At], [&](const Tree &T) {
      if (auto Known = Made.find(T.Local); T.is("Var") && Known != Made.end())
        Known->second.second = At;
    });
    const Tree &S = *Turn[At];
    const bool Assigns = S.is("CompoundAssignOperator") ||
                         (S.is("BinaryOperator") && S.Label == "=");
    if (!Assigns || !S.kid(0).is("DeclRefExpr"))
      continue;
    auto Init = Outer.find(S.kid(0).Local);
    const auto *V = dyn_cast_or_null<VarDecl>(S.kid(0).Of);
    if (Init != Outer.end() && V && V->hasLocalStorage() &&
        V->getType()->isIntegralOrEnumerationType() &&
        !V->getType().isVolatileQualified() && Times[Init->first] == 1)
      tryFlip(Init->first, *Init->second, S, At);
  }
  for (const Tree *T : Turn)
    if (T->is("DeclStmt")) // begins anew in each turn
      for (const auto &Kid : T->Kids)
        Outer.erase(Kid->Local);
  findSwap(Outer, Times);
}

/// Is a variable 0 or 1, and does S make the one of the other?
void BufferIndex::tryFlip(unsigned Local, const Tree &Made, const Tree &S,
                          int At) {
  const auto First = known(Made);
  // Declared in the loop it would begin anew in each turn.
  for (const Tree *T : turnOf(Loop))
    if (T->is("DeclStmt"))
      for (const auto &Kid : T->Kids)
        if (Kid->Local == Local)
          return;
  if (!First || (*First != 0 && *First != 1))
    return;
  Flips[Local] = {At, int(*First)};
  std::optional<Value> Becomes;
  if (S.is("CompoundAssignOperator"))
    Becomes = S.Label == "^=" && known(S.kid(1)) == 1
                  ? bits({1 - int(*First), int(*First)})
                  : std::optional<Value>();
  else
    Becomes = value(S.kid(1), At, 0);
  if (Becomes && Becomes->Whole &&
      Becomes->Bit == ByTurn{1 - int(*First), int(*First)})
    FlipOf[&S] = {Local};
  else
    Flips.erase(Local);
}

bool BufferIndex::flips(const Tree &S) const { return FlipOf.count(&S); }

std::vector<unsigned> BufferIndex::flippedBy(const Tree &S) const {
  auto Found = FlipOf.find(&S);
  return Found == FlipOf.end() ? std::vector<unsigned>() : Found->second;
}

/// The variable that T is the value of, 0 if it is another expression.
static unsigned loaded(const Tree &T) {
  return T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
                 T.kid(0).is("DeclRefExpr")
             ? T.kid(0).Local
             : 0;
}

const Tree *BufferIndex::bufferOf(const Tree &T) const {
  auto Found = Pointers.find(loaded(T));
  return Found == Pointers.end() ? nullptr : Found->second;
}

/// `A[0]`, which decays; its array's number in Of.
static const Tree *planeIn(const Tree &Init, unsigned &Of) {
  if (Init.Label != "ArrayToPointerDecay" || Init.Kids.size() != 1 ||
      !Init.kid(0).is("ArraySubscriptExpr") || Init.kid(0).Kids.size() != 2)
    return nullptr;
  const Tree &Array = Init.kid(0).kid(0);
  if (Array.Label != "ArrayToPointerDecay" || Array.Kids.size() != 1 ||
      !Array.kid(0).is("DeclRefExpr"))
    return nullptr;
  Of = Array.kid(0).Local;
  return &Init.kid(0);
}

/// `T *t = cur; cur = next; next = t;` in the loop's body, of two pointers that
/// nothing else changes: they are at the buffers that they were made of, or
/// both at the other's.
void BufferIndex::findSwap(const std::map<unsigned, const Tree *> &Inits,
                           const std::map<unsigned, unsigned> &Times) {
  const TreeList Turn = turnOf(Loop);
  auto assigns = [](const Tree &S, unsigned &To, unsigned &From) {
    if (!S.is("BinaryOperator") || S.Label != "=" ||
        !S.kid(0).is("DeclRefExpr"))
      return false;
    To = S.kid(0).Local;
    From = loaded(S.kid(1));
    return To && From;
  };
  for (int At = 0; At + 2 < int(Turn.size()); ++At) {
    const Tree &Keeps = *Turn[At];
    unsigned A = 0, B = 0, FromB = 0, FromKept = 0;
    if (!Keeps.is("DeclStmt") || Keeps.Kids.size() != 1 ||
        !Keeps.kid(0).is("Var") || Keeps.kid(0).Kids.size() != 1 ||
        !assigns(*Turn[At + 1], A, FromB) ||
        !assigns(*Turn[At + 2], B, FromKept))
      continue;
    const unsigned Kept = Keeps.kid(0).Local;
    if (loaded(Keeps.kid(0).kid(0)) != A || FromB != B || FromKept != Kept ||
        A == B || Times.count(Kept))
      continue;
    int First[2];
    unsigned Arrays[2] = {0, 0};
    bool Known = true;
    for (int I = 0; I != 2; ++I) {
      auto Init = Inits.find(I ? B : A);
      auto Changed = Times.find(I ? B : A);
      const auto *V = dyn_cast_or_null<VarDecl>(Turn[At + 1 + I]->kid(0).Of);
      const Tree *Plane =
          Init != Inits.end() ? planeIn(*Init->second, Arrays[I]) : nullptr;
      const auto Which = Plane ? known(Plane->kid(1)) : std::nullopt;
      Known &= Which && (*Which == 0 || *Which == 1) && V &&
               V->hasLocalStorage() && V->getType()->isPointerType() &&
               !V->getType().isVolatileQualified() && Changed != Times.end() &&
               Changed->second == 1 &&
               Context.hasSameUnqualifiedType(exprOf(*Init->second)->getType(),
                                              V->getType());
      First[I] = Which ? int(*Which) : 0;
    }
    if (!Known || Arrays[0] != Arrays[1] || !Arrays[0] || First[0] == First[1])
      continue;
    for (int I = 0; I != 2; ++I) {
      const unsigned P = I ? B : A;
      Flips[P] = {At + 2, First[I]};
      Pointers[P] = Inits.find(P)->second;
      FlipOf[Turn[At + 1 + I]] = {P};
    }
  }
}

BufferIndex::Value BufferIndex::constant(int64_t N) {
  const int Bit = int(N & 1);
  return {{Bit, Bit}, N == 0 || N == 1, N >= 0, std::make_pair(N, int64_t(0))};
}

std::optional<BufferIndex::Value> BufferIndex::value(const Tree &T, int At,
                                                     unsigned Depth) {
  if (Depth > 20)
    return std::nullopt;
  if (auto N = known(T))
    return constant(*N);
  if (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
      T.kid(0).is("DeclRefExpr")) {
    const unsigned Local = T.kid(0).Local;
    if (Local && Local == Counter) {
      if (At < 0 || !Begin || !Step || *Begin < 0 || *Step < 0)
        return std::nullopt;
      const ByTurn Bit{int(*Begin & 1), int((*Begin + *Step) & 1)};
      return Value{Bit, false, true, std::make_pair(*Begin, *Step)};
    }
    if (auto F = Flips.find(Local); F != Flips.end()) {
      const int V = At > F->second.At ? 1 - F->second.First : F->second.First;
      return At < 0 ? constant(F->second.First) : bits({V, 1 - V});
    }
    if (auto M = Made.find(Local); M != Made.end())
      return value(*M->second.first, M->second.second, Depth + 1);
    return std::nullopt;
  }
  const auto *C = dyn_cast_or_null<CastExpr>(exprOf(T));
  if (C && T.Kids.size() == 1) {
    std::optional<Value> V = value(T.kid(0), At, Depth + 1);
    if (V && C->getCastKind() == CK_IntegralToBoolean)
      return V->Whole ? V : std::nullopt;
    // A narrower number keeps its lowest bit.
    if (V && C->getCastKind() == CK_IntegralCast && !V->Whole &&
        Context.getTypeSize(C->getType()) <
            Context.getTypeSize(C->getSubExpr()->getType())) {
      V->Line = std::nullopt;
      V->NotNegative = false;
    }
    return C->getCastKind() == CK_NoOp || C->getCastKind() == CK_IntegralCast
               ? V
               : std::nullopt;
  }
  if (T.is("UnaryOperator") && T.Label == "!") {
    std::optional<Value> V = value(T.kid(0), At, Depth + 1);
    return V && V->Whole ? std::optional(bits({1 - V->Bit[0], 1 - V->Bit[1]}))
                         : std::nullopt;
  }
  return T.is("BinaryOperator") && T.Kids.size() == 2 ? binary(T, At, Depth + 1)
                                                      : std::nullopt;
}

std::optional<BufferIndex::Value> BufferIndex::binary(const Tree &T, int At,
                                                      unsigned Depth) {
  const std::optional<Value> A = value(T.kid(0), At, Depth),
                             B = value(T.kid(1), At, Depth);
  const auto One = known(T.kid(0)), Two = known(T.kid(1));
  // `k / BK` counts turns where k began with 0.
  if (T.Label == "/" && A && A->Line && A->Line->first == 0 && Two &&
      *Two > 0 && A->Line->second == *Two &&
      exprOf(T.kid(0))->getType()->isSignedIntegerType())
    return Value{{0, 1}, false, true, std::make_pair(int64_t(0), int64_t(1))};
  if (!A || !B)
    return std::nullopt;
  auto Each = [&](auto Of) {
    return ByTurn{Of(A->Bit[0], B->Bit[0]) & 1, Of(A->Bit[1], B->Bit[1]) & 1};
  };
  if (T.Label == "&" && Two == 1)
    return bits(A->Bit);
  if (T.Label == "%" && Two == 2 && A->NotNegative)
    return bits(A->Bit);
  if (T.Label == "^")
    return Value{Each([](int X, int Y) { return X ^ Y; }), A->Whole && B->Whole,
                 A->NotNegative && B->NotNegative, std::nullopt};
  if (T.Label == "-" && One == 1 && B->Whole)
    return bits({1 - B->Bit[0], 1 - B->Bit[1]});
  if (T.Label != "+" && T.Label != "-")
    return std::nullopt;
  const int Sign = T.Label == "+" ? 1 : -1;
  Value Sum{Each([](int X, int Y) { return X + Y; }), false,
            Sign > 0 && A->NotNegative && B->NotNegative, std::nullopt};
  if (A->Line && B->Line) {
    Sum.Line = {A->Line->first + Sign * B->Line->first,
                A->Line->second + Sign * B->Line->second};
    Sum.NotNegative = Sum.Line->first >= 0 && Sum.Line->second >= 0;
  }
  return Sum;
}

std::optional<ByTurn> BufferIndex::of(const Tree &Subscript, int At) {
  std::optional<Value> V = value(Subscript, At, 0);
  return V && V->Whole ? std::optional(V->Bit) : std::nullopt;
}

} // namespace kpipe
