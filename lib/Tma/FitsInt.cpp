// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Term by term, see FitsInt.h: `b * 16777216` may be the author's int, or leave
// it where b is a large block's and the product has 64 bits.
#include "FitsInt.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// CUDA C++ Programming Guide, "Technical Specifications": blocks on the axes.
static constexpr int64_t MostInt = INT32_MAX, MostOnY = 65535;

/// A * B where that is an int.
static std::optional<int64_t> product(int64_t A, int64_t B) {
  if (A != 0 && B > MostInt / A)
    return std::nullopt;
  return A * B;
}

/// All factors of both, in order.
static Polynomial::Product both(Polynomial::Product A,
                                const Polynomial::Product &B) {
  A.insert(A.end(), B.begin(), B.end());
  llvm::sort(A);
  return A;
}

bool FitsInt::has(const Polynomial &P, unsigned Side,
                  const Polynomial::Product &Times) {
  return llvm::all_of(P.Terms, [&](const auto &Term) {
    const auto &[Product, Factor] = Term;
    std::optional<int64_t> Most = product(1, Factor);
    for (unsigned S : Product) {
      const Expr *Text = At.symbol(S).Text;
      if (Context.getIntWidth(Text->getType()) > 32)
        return false;
      const std::optional<int64_t> Own = most(Text);
      Most = Most && Own ? product(*Most, *Own) : std::nullopt;
      if (Product.size() == 1 && Own && Factor <= int64_t(Side))
        return true;
    }
    return Most || (Product.size() == 1 && Factor == 1) ||
           isNarrow(Product, Factor) || isNarrow(both(Product, Times), Factor);
  });
}

/// A part of a sum that the author computes as an int.
bool FitsInt::isNarrow(const Polynomial::Product &P, int64_t Factor) const {
  return llvm::any_of(Narrow, [&](const NarrowSum &N) {
    const auto Found = N.Sum.Terms.find(P);
    return !N.MayWrap && Found != N.Sum.Terms.end() &&
           Found->second >= Factor &&
           llvm::all_of(N.Sum.Terms,
                        [](const auto &Term) { return Term.second > 0; });
  });
}

std::optional<int64_t> FitsInt::most(const Expr *E) {
  if (Depth == MostDepth)
    return std::nullopt;
  ++Depth;
  const std::optional<int64_t> Found = mostOf(withoutSugar(E));
  --Depth;
  return Found && *Found >= 0 && *Found <= MostInt ? Found : std::nullopt;
}

/// The most of an index of the block, or of what is made of it.
std::optional<int64_t> FitsInt::mostOf(const Expr *E) {
  if (std::optional<int64_t> N = At.number(E))
    return N;
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_IntegralCast
               ? most(C->getSubExpr())
               : std::nullopt;
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E)) {
    const auto *Axis =
        dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
    if (!Axis || !isSpecialRegister(P))
      return std::nullopt;
    return Axis->getPropertyDecl()->getName() == "x" ? MostInt : MostOnY;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    const Expr *Init = V ? At.initialValue(V) : nullptr;
    return Init ? most(Init) : std::nullopt;
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B)
    return std::nullopt;
  const std::optional<int64_t> L = most(B->getLHS()), R = most(B->getRHS());
  const std::optional<int64_t> By = At.number(B->getRHS());
  switch (B->getOpcode()) {
  case BO_Add:
    return L && R ? std::optional(*L + *R) : std::nullopt;
  case BO_Mul:
    return L && R ? product(*L, *R) : std::nullopt;
  case BO_Div:
    return L && By && *By > 0 ? std::optional(*L / *By) : std::nullopt;
  case BO_Rem:
    return By && *By > 0 ? std::optional(*By - 1) : std::nullopt;
  case BO_And:
    return By ? R : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace kpipe
