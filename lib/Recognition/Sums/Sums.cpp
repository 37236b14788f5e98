// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of atoms, see Sums.h. What cannot be written as a sum is not Known, and
// then nothing is shown of it.
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace kpipe {

int64_t nearZero(int64_t V) { return std::clamp(V, -Far, Far); }

Sum Sum::unknown() {
  Sum S;
  S.Known = false;
  return S;
}

Sum Sum::constant(int64_t C) {
  Sum S;
  S.Constant = C;
  S.Known = C > -Far && C < Far;
  return S;
}

Sum add(Sum A, const Sum &B, int64_t By) {
  if (!A.Known || !B.Known)
    return Sum::unknown();
  for (const auto &[Key, Factor] : B.Terms) {
    int64_t &F = A.Terms[Key];
    F += Factor * By;
    if (std::abs(F) > MostFactor)
      return Sum::unknown();
    if (F == 0)
      A.Terms.erase(Key);
  }
  A.Constant += B.Constant * By;
  A.Known = std::abs(A.Constant) < Far;
  return A;
}

Sum times(const Sum &A, int64_t By) {
  return std::abs(By) > MostFactor ? Sum::unknown() : add(Sum(), A, By);
}

int64_t Atom::swing() const {
  if (Loops.empty())
    return 0;
  return hasBounds() ? High - Low : Swing;
}

bool Atom::neverWraps(int64_t Factor) const {
  Factor = std::abs(Factor);
  if (hasBounds())
    return High - Low < MostApart / std::max<int64_t>(Factor, 1);
  int64_t Swing = swing();
  return Swing >= 0 && Swing <= MostSwing / std::max<int64_t>(Factor, 1);
}

Sum AtomTable::add(std::string Key, Atom A) {
  if (!A.isBounded())
    A.Low = -Far, A.High = Far;
  All.try_emplace(Key, std::move(A));
  Sum S;
  S.Terms[Key] = 1;
  return S;
}

std::string AtomTable::keyOf(const Sum &S) const {
  std::string Key;
  for (const auto &[Term, Factor] : S.Terms)
    Key += std::to_string(Factor) + "*" + Term + "+";
  return Key + std::to_string(S.Constant);
}

std::set<InnerLoop> AtomTable::loopsOf(const Sum &S) const {
  std::set<InnerLoop> All;
  for (const auto &[Term, Factor] : S.Terms)
    All.insert(at(Term).Loops.begin(), at(Term).Loops.end());
  return All;
}

int64_t AtomTable::grainOf(const Sum &S) const {
  int64_t G = 0;
  for (const auto &[Term, Factor] : S.Terms)
    G = std::gcd(G, Factor * at(Term).Grain);
  return G;
}

std::optional<int64_t> AtomTable::residueOf(const Sum &S, int64_t By) const {
  for (const auto &[Term, Factor] : S.Terms) {
    const Atom &A = at(Term);
    // A counter is a multiple of its step.
    if (Factor * (A.Kind == Atom::Counter ? A.Grain : 1) % By)
      return std::nullopt;
  }
  return (S.Constant % By + By) % By;
}

std::optional<std::pair<int64_t, int64_t>>
AtomTable::boundsOf(const Sum &S) const {
  int64_t Low = S.Constant, High = S.Constant;
  for (const auto &[Term, Factor] : S.Terms) {
    const Atom &A = at(Term);
    if (!A.hasBounds())
      return std::nullopt;
    Low += nearZero(Factor * (Factor > 0 ? A.Low : A.High));
    High += nearZero(Factor * (Factor > 0 ? A.High : A.Low));
  }
  return std::pair(Low, High);
}

bool AtomTable::neverNegative(const Sum &S) const {
  auto Bounds = boundsOf(S);
  return Bounds && Bounds->first >= 0 && Bounds->second <= llvm::maxIntN(32);
}

int64_t AtomTable::swingOf(const Sum &S) const {
  int64_t Sum = 0;
  for (const auto &[Term, Factor] : S.Terms) {
    int64_t Swing = at(Term).swing();
    if (Swing < 0)
      return -1;
    Sum =
        nearZero(Sum + nearZero(std::abs(Factor) * std::min(Swing, Far >> 20)));
  }
  return Sum;
}

bool AtomTable::neverWraps(const Sum &S, int64_t By) const {
  return llvm::all_of(S.Terms, [&](const auto &Term) {
    return std::abs(Term.second) <= MostFactor / std::max<int64_t>(By, 1) &&
           at(Term.first).neverWraps(Term.second * By);
  });
}

} // namespace kpipe
