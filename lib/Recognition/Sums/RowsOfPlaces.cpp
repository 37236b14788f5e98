// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place is taken apart into multiples of a row's length, and counters and a
// constant that stay within one. See RowsOfPlaces.h.
#include "RowsOfPlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

llvm::SmallVector<int64_t, 4> rowLengths(const Sum &Place) {
  llvm::SmallVector<int64_t, 4> Found{1};
  for (const auto &[Key, Factor] : Place.Terms)
    if (Factor > 1 && Factor < 1024 && !llvm::is_contained(Found, Factor))
      Found.push_back(Factor);
  return Found;
}

/// `i` of a loop's condition.
static const Expr *counterIn(const ForStmt *F, const VarDecl *V) {
  const auto *Test = dyn_cast_or_null<BinaryOperator>(F->getCond());
  const auto *D =
      Test ? dyn_cast<DeclRefExpr>(Test->getLHS()->IgnoreParenImpCasts())
           : nullptr;
  return D && D->getDecl() == V ? Test->getLHS() : nullptr;
}

SteadySum rowOf(const SteadySum &Place, int64_t Length,
                llvm::ArrayRef<const ForStmt *> Around, SteadySums &Sums,
                std::optional<Extent3> Block) {
  if (Length == 1)
    return Place;
  // Where it wraps around, the rows are others.
  if (!Place.isExact() || Length <= 0)
    return {};
  Sum Rows = Place.Of;
  int64_t Low = 0, High = 0;
  for (const ForStmt *F : Around) {
    const VarDecl *V = Sums.countsUp(F);
    const auto Factor = V ? Sums.factorOf(V, Rows) : std::nullopt;
    if (!Factor || *Factor % Length == 0)
      continue;
    const Expr *Counter = counterIn(F, V);
    const auto Range = Counter ? Sums.rangeOf(Counter, Around, {1024, 1024, 64})
                               : std::nullopt;
    const SteadySum Own = Counter ? Sums.of(Counter, Around) : SteadySum();
    if (!Range || !Own.isExact() || Own.Of.Terms.size() != 1 ||
        Own.Of.Constant || *Factor < 0 || Range->Low < 0 ||
        Range->High >= Length)
      return {};
    High += *Factor * Range->High;
    Rows = add(Rows, Own.Of, -*Factor);
  }
  // In a block of known size a thread's index is a counter too.
  if (Block) {
    const auto Terms = Rows.Terms;
    for (const auto &[Key, Factor] : Terms) {
      const auto Most = Sums.mostOfThreads(Key, *Block);
      if (Factor % Length == 0 || Factor < 0 || !Most)
        continue;
      if (*Most >= Length)
        return {};
      High += Factor * *Most;
      Rows.Terms.erase(Key);
    }
  }
  const int64_t Rest = (Rows.Constant % Length + Length) % Length;
  Low += Rest, High += Rest;
  Rows.Constant = (Rows.Constant - Rest) / Length;
  if (!Rows.Known || Low < 0 || High >= Length)
    return {};
  for (auto &[Key, Factor] : Rows.Terms) {
    if (Factor % Length)
      return {};
    Factor /= Length;
  }
  SteadySum Found;
  Found.Of = Rows;
  return Found;
}

} // namespace kpipe
