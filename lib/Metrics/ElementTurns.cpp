// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are the same where all their indices are, see ElementTurns.h.
#include "ElementTurns.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <numeric>

namespace kpipe {

int64_t LinearIndex::factorOf(const void *Loop) const {
  for (const Term &T : Terms)
    if (T.Loop == Loop)
      return T.Factor;
  return 0;
}

void LinearIndex::add(const LinearIndex &Other, int64_t Times) {
  Constant += Other.Constant * Times;
  if (!Other.Rest.empty())
    Rest += " + " + std::to_string(Times) + " * (" + Other.Rest + ")";
  for (const Term &T : Other.Terms) {
    auto *Mine = llvm::find_if(
        Terms, [&](const Term &M) { return M.Loop == T.Loop; });
    if (Mine == Terms.end())
      Mine = Terms.insert(Terms.end(), {T.Loop, 0});
    Mine->Factor += T.Factor * Times;
    if (Mine->Factor == 0)
      Terms.erase(Mine);
  }
}

static const TurnsOf *find(llvm::ArrayRef<TurnsOf> Loops, const void *Loop) {
  const auto *It = llvm::find_if(
      Loops, [&](const TurnsOf &T) { return T.Loop == Loop; });
  return It == Loops.end() ? nullptr : It;
}

/// The loops whose turns an index tells apart, beside those that are told apart
/// already: as digits of a number do, each counts more than all smaller ones
/// together. False where it tells nothing.
static bool tells(const LinearIndex &Index, llvm::ArrayRef<TurnsOf> Loops,
                  llvm::SmallVectorImpl<const void *> &Told) {
  struct Digit {
    uint64_t Weight, Most;
    const void *Loop;
  };
  llvm::SmallVector<Digit, 3> Digits;
  for (const LinearIndex::Term &T : Index.Terms) {
    if (llvm::is_contained(Told, T.Loop))
      continue;
    const TurnsOf *Turns = find(Loops, T.Loop);
    if (!Turns)
      return false;
    uint64_t Weight = std::abs(T.Factor * Turns->Step);
    Digits.push_back({Weight, Weight * (Turns->Trips - 1), T.Loop});
  }
  llvm::sort(Digits, [](const Digit &A, const Digit &B) {
    return A.Weight < B.Weight;
  });
  uint64_t Smaller = 0;
  for (const Digit &D : Digits) {
    if (D.Weight <= Smaller)
      return false;
    Smaller += D.Most;
  }
  for (const Digit &D : Digits)
    Told.push_back(D.Loop);
  return !Digits.empty();
}

bool readsOthersEachTurn(const ValueOfElements &Value) {
  llvm::SmallVector<const void *, 4> Told;
  for (bool More = true; More;) {
    More = false;
    for (const ElementRead &Read : Value.Reads)
      for (const std::optional<LinearIndex> &Index : Read.Indices)
        More |= Index && tells(*Index, Value.Loops, Told);
  }
  return llvm::all_of(Value.Loops, [&](const TurnsOf &T) {
    return T.Trips == 1 || llvm::is_contained(Told, T.Loop);
  });
}

/// Is one never what the other is?
static bool neverEqual(const LinearIndex &A, const LinearIndex &B,
                       llvm::ArrayRef<TurnsOf> Loops) {
  if (A.Rest != B.Rest || A.Terms.size() != B.Terms.size())
    return false;
  uint64_t Divisor = 0;
  for (const LinearIndex::Term &T : A.Terms) {
    const TurnsOf *Turns = find(Loops, T.Loop);
    if (!Turns || B.factorOf(T.Loop) != T.Factor)
      return false;
    Divisor = std::gcd(Divisor, uint64_t(std::abs(T.Factor * Turns->Step)));
  }
  uint64_t Apart = std::abs(A.Constant - B.Constant);
  return Divisor ? Apart % Divisor != 0 : Apart != 0;
}

bool readOtherElements(const ValueOfElements &A, const ValueOfElements &B) {
  if (!A.Complete || !B.Complete)
    return false;
  auto arrays = [](const ValueOfElements &V) {
    llvm::SmallVector<const void *, 4> All;
    for (const ElementRead &R : V.Reads)
      All.push_back(R.Array);
    llvm::sort(All);
    return All;
  };
  auto Arrays = arrays(A);
  if (Arrays != arrays(B))
    return true;
  // Of an array that is read twice nobody knows which read is which.
  for (const ElementRead &R : A.Reads) {
    if (llvm::count(Arrays, R.Array) != 1)
      continue;
    const ElementRead &Other = *llvm::find_if(
        B.Reads, [&](const ElementRead &O) { return O.Array == R.Array; });
    if (Other.Indices.size() != R.Indices.size())
      continue;
    for (auto [Mine, Its] : llvm::zip_equal(R.Indices, Other.Indices))
      if (Mine && Its && neverEqual(*Mine, *Its, A.Loops))
        return true;
  }
  return false;
}

} // namespace kpipe
