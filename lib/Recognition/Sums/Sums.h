// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as sums: factors times atoms, and a constant. An atom is what is not
// taken apart further; the table knows of each what its values can be, so that
// bounds, grain and swing of a sum follow. Reads no source.
#ifndef KPIPE_RECOGNITION_SUMS_H
#define KPIPE_RECOGNITION_SUMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace clang {
class CallExpr;
class Stmt;
} // namespace clang

namespace kpipe {

/// Farther than any index goes; a bound there is none.
constexpr int64_t Far = int64_t(1) << 40;
constexpr int64_t MostFactor = 1 << 20;
/// Indices are numbers modulo 2^32, or more. Sums that differ are taken to be
/// different places only where their difference stays below the first of these,
/// or would reach 2^32 only after thousands of turns of a loop within one tile.
constexpr int64_t MostApart = int64_t(1) << 30;
constexpr int64_t MostSwing = 1 << 20;

/// Cut off at Far.
int64_t nearZero(int64_t V);

/// A loop that runs within a tile: the statement, and the call of a helper that
/// it stands in (null in the loop's own body).
using InnerLoop = std::pair<const clang::Stmt *, const clang::CallExpr *>;

/// A sum of atoms with factors, and a constant.
struct Sum {
  std::map<std::string, int64_t> Terms; ///< by the atom's key
  int64_t Constant = 0;
  bool Known = true;

  static Sum unknown();
  static Sum constant(int64_t C);
};

/// A + B * By.
Sum add(Sum A, const Sum &B, int64_t By = 1);
Sum times(const Sum &A, int64_t By);

/// What is not taken apart further.
struct Atom {
  enum { Value, Counter, Quotient, Remainder, Xor, Product } Kind = Value;
  /// Loops of the tile that it may differ in the iterations of.
  std::set<InnerLoop> Loops;
  /// What it is made of: X / Divisor, X % Divisor, X ^ Y, X * Y.
  Sum X, Y;
  int64_t Divisor = 0;
  /// Differences are multiples of it.
  int64_t Grain = 1;
  /// Bounds; none where Low > High.
  int64_t Low = 0, High = -1;
  /// What one turn of a loop changes it by, at most; negative if not known.
  int64_t Swing = -1;
  bool isBounded() const { return Low <= High; }

  /// The same of an atom of the table, which has Far for no bound.
  bool hasBounds() const { return Low > -Far && High < Far; }
  /// What one turn of a loop changes it by; negative if not known.
  int64_t swing() const;
  /// Factor times the difference of two of its values does not reach 2^32.
  bool neverWraps(int64_t Factor) const;
};

/// All atoms of the sums of a loop, by key.
class AtomTable {
public:
  /// The sum that is this atom alone; one of the same key is kept as it is.
  Sum add(std::string Key, Atom A);
  const Atom &at(const std::string &Key) const { return All.at(Key); }
  bool has(const std::string &Key) const { return All.count(Key) != 0; }
  const std::map<std::string, Atom> &all() const { return All; }

  std::string keyOf(const Sum &S) const;
  std::set<InnerLoop> loopsOf(const Sum &S) const;
  /// What differences of S are multiples of; 0 if it never differs.
  int64_t grainOf(const Sum &S) const;
  /// What is left of each value of S when it is divided by By, at least 0;
  /// nothing where that differs.
  std::optional<int64_t> residueOf(const Sum &S, int64_t By) const;
  /// The least and the greatest value, by the bounds of what it is made of.
  std::optional<std::pair<int64_t, int64_t>> boundsOf(const Sum &S) const;
  /// Never below 0, nor so large that it would be read as negative.
  bool neverNegative(const Sum &S) const;
  /// What one turn of the loops changes S by; negative if not known.
  int64_t swingOf(const Sum &S) const;
  /// By times the difference of two of its values does not reach 2^32.
  bool neverWraps(const Sum &S, int64_t By) const;

private:
  std::map<std::string, Atom> All;
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SUMS_H
