// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with limits, see Polynomial.h.
#include "Polynomial.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace kpipe {

namespace {

constexpr size_t MostTerms = 32, MostFactors = 6;
constexpr int64_t MostFactor = int64_t(1) << 44;

/// False where the sum grows too large.
bool addTerm(Polynomial &To, const Polynomial::Product &P, int64_t A,
             int64_t B) {
  int64_t Product = 0;
  if (llvm::MulOverflow(A, B, Product))
    return false;
  int64_t &Factor = To.Terms[P];
  if (llvm::AddOverflow(Factor, Product, Factor) || Factor > MostFactor ||
      Factor < -MostFactor)
    return false;
  if (!Factor)
    To.Terms.erase(P);
  return To.Terms.size() <= MostTerms && P.size() <= MostFactors;
}

} // namespace

Polynomial Polynomial::number(int64_t N) {
  Polynomial P;
  if (N)
    P.Terms[{}] = N;
  return P;
}

Polynomial Polynomial::symbol(unsigned S) {
  Polynomial P;
  P.Terms[{S}] = 1;
  return P;
}

std::optional<int64_t> Polynomial::asNumber() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial> add(const Polynomial &A, const Polynomial &B,
                              int64_t By) {
  Polynomial Sum = A;
  for (const auto &[P, Factor] : B.Terms)
    if (!addTerm(Sum, P, Factor, By))
      return std::nullopt;
  return Sum;
}

std::optional<Polynomial> multiply(const Polynomial &A, const Polynomial &B) {
  Polynomial Out;
  for (const auto &[P, Factor] : A.Terms)
    for (const auto &[Q, By] : B.Terms) {
      Polynomial::Product Both = P;
      Both.insert(Both.end(), Q.begin(), Q.end());
      std::sort(Both.begin(), Both.end());
      if (!addTerm(Out, Both, Factor, By))
        return std::nullopt;
    }
  return Out;
}

std::optional<int64_t> distance(const Polynomial &A, const Polynomial &B) {
  std::optional<Polynomial> D = add(A, B, -1);
  return D ? D->asNumber() : std::nullopt;
}

} // namespace kpipe
