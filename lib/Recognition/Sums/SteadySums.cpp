// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and conversions, see SteadySums.h.
#include "SteadySums.h"
#include "Code/AstUtils.h"
#include "Code/Sugar.h"
#include "Code/Variance.h"
#include "ExpressionSums.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

SteadySum SteadySums::of(const Expr *E,
                         llvm::ArrayRef<const ForStmt *> Around) {
  if (Depth >= StoreSite::MostDepth)
    return {};
  ++Depth;
  SteadySum S = compute(evaluated(E), Around);
  --Depth;
  return S;
}

SteadySum SteadySums::compute(const Expr *E,
                              llvm::ArrayRef<const ForStmt *> Around) {
  QualType Type = E->getType();
  if (!Type->isIntegerType() || Context.getIntWidth(Type) < 32) {
    const auto *C = dyn_cast<CastExpr>(E);
    return C && Type->isIntegerType() && C->getCastKind() == CK_LValueToRValue
               ? of(C->getSubExpr(), Around)
               : SteadySum();
  }
  if (auto C = Known.evaluate(E)) {
    SteadySum S;
    S.Of = Sum::constant(*C);
    return S;
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return converted(C, Around);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B, Around);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (isa<VarDecl>(D->getDecl()))
      return variable(D, Around);
  return whole(E, Around);
}

SteadySum SteadySums::converted(const CastExpr *C,
                                llvm::ArrayRef<const ForStmt *> Around) {
  const Expr *Sub = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_LValueToRValue:
    return isa<DeclRefExpr>(evaluated(Sub)) ? of(Sub, Around)
                                            : whole(C, Around);
  case CK_NoOp:
    return of(Sub, Around);
  case CK_IntegralCast: {
    const QualType From = Sub->getType(), To = C->getType();
    if (!From->isIntegerType() || From->isBooleanType())
      return {};
    SteadySum S = of(Sub, Around);
    const unsigned Old = Context.getIntWidth(From),
                   New = Context.getIntWidth(To);
    if (New < Old)
      return New < 32 ? SteadySum() : whole(C, Around);
    if (New > Old)
      S.Widened |=
          S.Wraps || (From->isSignedIntegerType() &&
                      To->isUnsignedIntegerType() && !isNeverNegative(S.Of));
    else if (From->isSignedIntegerType() != To->isSignedIntegerType())
      S.Wraps |= !isSmall(Sub, Around);
    return S;
  }
  default:
    return {};
  }
}

SteadySum SteadySums::binary(const BinaryOperator *B,
                             llvm::ArrayRef<const ForStmt *> Around) {
  auto joined = [&](int64_t By) {
    SteadySum L = of(B->getLHS(), Around), R = of(B->getRHS(), Around);
    const bool Exact = L.isExact() && R.isExact();
    L.Of = add(L.Of, R.Of, By);
    L.Wraps |= R.Wraps ||
               (B->getType()->isUnsignedIntegerType() && !isSmall(B, Around) &&
                !(Exact && keepsInType(B, L, Around)));
    L.Widened |= R.Widened;
    return L;
  };
  auto scaled = [&](const Expr *E, int64_t By) {
    SteadySum S = of(E, Around);
    const bool Exact = S.isExact();
    S.Of = times(S.Of, By);
    S.Wraps |= B->getType()->isUnsignedIntegerType() && !isSmall(B, Around) &&
               !(Exact && keepsInType(B, S, Around));
    return S;
  };
  switch (B->getOpcode()) {
  case BO_Add:
    return joined(1);
  case BO_Sub:
    return joined(-1);
  case BO_Mul:
    if (auto By = Known.evaluate(B->getRHS()))
      return scaled(B->getLHS(), *By);
    if (auto By = Known.evaluate(B->getLHS()))
      return scaled(B->getRHS(), *By);
    return whole(B, Around);
  case BO_Shl:
    // What leaves a signed type is lost, and that is allowed.
    if (auto By = Known.evaluate(B->getRHS());
        By && *By >= 0 && *By < 20 &&
        (B->getType()->isUnsignedIntegerType() || isSmall(B, Around)))
      return scaled(B->getLHS(), int64_t(1) << *By);
    return whole(B, Around);
  case BO_Div:
    // Of what is a multiple nothing is lost, whatever its sign.
    if (auto By = Known.evaluate(B->getRHS()); By && *By > 1)
      if (SteadySum S = of(B->getLHS(), Around);
          S.isExact() && S.Of.Constant % *By == 0 &&
          llvm::all_of(S.Of.Terms,
                       [&](const auto &T) { return T.second % *By == 0; })) {
        S.Of.Constant /= *By;
        for (auto &[Term, Factor] : S.Of.Terms)
          Factor /= *By;
        return S;
      }
    return whole(B, Around);
  default:
    return whole(B, Around);
  }
}

/// Is Made, of exact numbers, what the unsigned B is?
bool SteadySums::keepsInType(const BinaryOperator *B, const SteadySum &Made,
                             llvm::ArrayRef<const ForStmt *> Around) {
  if (B->getOpcode() == BO_Sub)
    return isLeft(Made.Of);
  return Context.getIntWidth(B->getType()) == 64 && bitsOf(B, Around) < 63;
}

unsigned SteadySums::bitsOf(const Expr *E,
                            llvm::ArrayRef<const ForStmt *> Around) {
  E = evaluated(E);
  if (!E->getType()->isIntegerType())
    return 64;
  if (auto Found = rangeOf(E, Around, {1024, 1024, 64});
      Found && Found->Low >= 0)
    return llvm::Log2_64_Ceil(uint64_t(Found->High) + 1);
  const unsigned Width = E->getType()->isUnsignedIntegerType()
                             ? Context.getIntWidth(E->getType())
                             : 64;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const unsigned L = bitsOf(B->getLHS(), Around),
                   R = bitsOf(B->getRHS(), Around);
    if (B->getOpcode() == BO_Add)
      return std::min(Width, std::max(L, R) + 1);
    return B->getOpcode() == BO_Mul ? std::min(Width, L + R) : Width;
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_IntegralCast ||
                   C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_NoOp
               ? std::min(Width, bitsOf(C->getSubExpr(), Around))
               : Width;
  // A loop's variable is below its bound.
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  for (const ForStmt *F : Around)
    if (V && V->getType()->isUnsignedIntegerType() && countsUp(F) == V)
      if (const auto *Test = dyn_cast_or_null<BinaryOperator>(F->getCond());
          Test && Test->getOpcode() == BO_LT &&
          mentionedVariable(Test->getLHS()) == V &&
          Test->getRHS()->getType()->isUnsignedIntegerType())
        return std::min(Width, bitsOf(Test->getRHS(), Around));
  return Width;
}

/// Does every type hold the value of E?
bool SteadySums::isSmall(const Expr *E,
                         llvm::ArrayRef<const ForStmt *> Around) {
  auto Found = rangeOf(E, Around, {1024, 1024, 64});
  return Found && Found->Low >= 0 && Found->High <= INT32_MAX;
}

std::optional<Range64>
SteadySums::rangeOf(const Expr *E, llvm::ArrayRef<const ForStmt *> Around,
                    const Extent3 &MostThreads) {
  Ranges R(Context, Known, MostThreads);
  for (const ForStmt *F : Around)
    R.enter(F);
  return R.of(E);
}

/// A value of its own, which the same text has wherever it stands.
SteadySum SteadySums::whole(const Expr *E,
                            llvm::ArrayRef<const ForStmt *> Around) {
  if (!isMadeOfSteady(E, Around))
    return {};
  Part P;
  P.Of = E;
  E->Profile(P.Text, Context, true);
  const bool InTurn = namesAny(E, [&](const VarDecl *V) {
    return llvm::any_of(Around, [&](const ForStmt *F) {
      return isIn(V, F->getBody()) || countsUp(F) == V;
    });
  });
  P.Uniform = !InTurn && !Threads.dependent(E);
  const auto Range = rangeOf(E, Around, {1024, 1024, 64});
  P.NeverNegative =
      E->getType()->isUnsignedIntegerType() || (Range && Range->Low >= 0);
  return term(std::move(P), E->getType());
}

SteadySum SteadySums::term(Part P, QualType Type) {
  auto Same = llvm::find_if(Parts, [&](const Part &Q) {
    return Q.Var == P.Var && (P.Var || Q.Text == P.Text);
  });
  const size_t I = Same - Parts.begin();
  if (Same == Parts.end())
    Parts.push_back(std::move(P));
  SteadySum S;
  S.Of = Sum::constant(0);
  S.Of.Terms[std::to_string(I)] = 1;
  S.Of.Known = Context.getIntWidth(Type) >= 32;
  return S;
}

bool SteadySums::isUniform(const Sum &S) const {
  return S.Known && llvm::all_of(S.Terms, [&](const auto &T) {
           return Parts[std::stoul(T.first)].Uniform;
         });
}

bool SteadySums::isNeverNegative(const Sum &S) const {
  return S.Known && S.Constant >= 0 &&
         llvm::all_of(S.Terms, [&](const auto &T) {
           return T.second > 0 && Parts[std::stoul(T.first)].NeverNegative;
         });
}

std::optional<int64_t> SteadySums::mostOfThreads(const std::string &Term,
                                                 const Extent3 &Block) {
  Sum Alone;
  Alone.Terms[Term] = 1;
  if (!isThreadIndex(Alone))
    return std::nullopt;
  const auto R = rangeOf(Parts[std::stoul(Term)].Of, {}, Block);
  return R && R->Low >= 0 ? std::optional(R->High) : std::nullopt;
}

bool SteadySums::isVariable(const std::string &Term, unsigned Bits) const {
  const VarDecl *V = Parts[std::stoul(Term)].Var;
  return V && V->getType()->isIntegerType() &&
         Context.getIntWidth(V->getType()) <= Bits;
}

bool SteadySums::onlyGrows(const Sum &S) {
  bool Grows = false;
  return S.Known &&
         llvm::all_of(S.Terms,
                      [&](const auto &T) {
                        const Part &P = Parts[std::stoul(T.first)];
                        const auto moves = [&](const VarDecl *V) {
                          return !Known.unchanged(V) && !Settled.count(V);
                        };
                        if (!P.Var)
                          return !namesAny(P.Of, moves);
                        if (!moves(P.Var))
                          return true;
                        Grows = true;
                        return T.second > 0 && Advanced.count(P.Var) &&
                               addsInHeader(P.Var);
                      }) &&
         Grows;
}

SteadySum SteadySums::variableOf(const VarDecl *V) {
  Part P;
  P.Var = V;
  P.NeverNegative = V->getType()->isUnsignedIntegerType();
  return term(std::move(P), V->getType());
}

bool SteadySums::varies(const Sum &S, const VarSet &Variant) const {
  return !S.Known || llvm::any_of(S.Terms, [&](const auto &T) {
    const Part &P = Parts[std::stoul(T.first)];
    return P.Var ? Variant.count(P.Var) != 0
                 : kpipe::varies(P.Of, Variant, *Facts.In);
  });
}

const Expr *SteadySums::firstValue(const ForStmt *F, const VarDecl *V) {
  const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
  if (D)
    return llvm::is_contained(D->decls(), V) ? V->getInit() : nullptr;
  const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit());
  return B && B->getOpcode() == BO_Assign && updatedVariable(B) == V
             ? B->getRHS()
             : nullptr;
}

bool SteadySums::isNeverNegative(const Sum &S,
                                 llvm::ArrayRef<const ForStmt *> Around) {
  auto countsFromZero = [&](const VarDecl *V) {
    return V && llvm::any_of(Around, [&](const ForStmt *F) {
             const Expr *First = firstValue(F, V);
             return First && countsUp(F) == V && isSmall(First, Around);
           });
  };
  return S.Known && S.Constant >= 0 &&
         llvm::all_of(S.Terms, [&](const auto &T) {
           const Part &P = Parts[std::stoul(T.first)];
           return T.second > 0 && (P.NeverNegative || countsFromZero(P.Var));
         });
}

bool SteadySums::isThreadIndex(const Sum &S) const {
  if (!S.Known || S.Constant || S.Terms.size() != 1 ||
      S.Terms.begin()->second != 1)
    return false;
  const Part &P = Parts[std::stoul(S.Terms.begin()->first)];
  return P.Of && !P.Uniform && isa<PseudoObjectExpr>(P.Of);
}

std::optional<int64_t> SteadySums::factorOf(const VarDecl *V,
                                            const Sum &S) const {
  int64_t Found = 0;
  for (const auto &[Key, Factor] : S.Terms) {
    const Part &P = Parts[std::stoul(Key)];
    if (P.Var == V)
      Found = Factor;
    else if (P.Of && namesAny(P.Of, [&](const VarDecl *U) { return U == V; }))
      return std::nullopt;
  }
  return Found;
}

} // namespace kpipe
