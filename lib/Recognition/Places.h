// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the stores of one thread go within one tile, as sums of bytes, and
// whether two of them can meet. Knows nothing of copies that are asynchronous.
#ifndef KPIPE_RECOGNITION_PLACES_H
#define KPIPE_RECOGNITION_PLACES_H

#include "Code/Values.h"
#include "LoopFacts.h"
#include "llvm/ADT/FoldingSet.h"
#include <map>
#include <set>
#include <string>

namespace kpipe {

/// A loop that runs within a tile: the statement, and the call of a helper that
/// it stands in (null in the loop's own body).
using InnerLoop = std::pair<const clang::Stmt *, const clang::CallExpr *>;

/// A sum of atoms with factors, and a constant.
struct Sum {
  std::map<std::string, int64_t> Terms; ///< by the atom's key
  int64_t Constant = 0;
  bool Known = true;
};

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
};

/// The place of one store: bytes from the start of an array, and the indices
/// and members on the way, each with what it is a step of.
struct StoredPlace {
  bool Known = false;
  const clang::VarDecl *Array = nullptr;
  Sum Bytes;
  std::vector<std::pair<std::string, Sum>> Steps;
};

/// A store with what surrounds it within the tile.
struct PlacedStore {
  const clang::Expr *Store = nullptr;
  const clang::CallExpr *Call = nullptr; ///< of the helper that holds it
  const clang::VarDecl *Through = nullptr;
  unsigned Bytes = 0;
  StoredPlace Place;
  std::set<InnerLoop> Loops;
  /// `if`s around it, and in which branch it stands.
  std::map<std::pair<const clang::Stmt *, const clang::CallExpr *>, bool>
      Branches;
};

class Places {
public:
  explicit Places(const LoopFacts &Facts);

  /// The store of a copy, with its place.
  PlacedStore of(const TileCopy &C);

  /// Two executions of stores, or of one in different iterations of the loops
  /// around it, never write one byte twice for one thread within a tile.
  bool apart(const PlacedStore &A, const PlacedStore &B) const;

private:
  const LoopFacts &Facts;
  Values Known;
  /// Written by the load region other than by their initialisation.
  VarSet Moving;
  std::map<std::string, Atom> Atoms;
  /// Around the store that is looked at, outermost first.
  std::vector<std::pair<CopyLoop, const clang::CallExpr *>> Around;
  std::set<InnerLoop> AroundSet;
  const clang::CallExpr *Call = nullptr;
  /// Expressions that are values of their own, by number.
  std::vector<llvm::FoldingSetNodeID> Seen;
  unsigned Depth = 0;

  struct Meeting;

  void surround(const clang::Stmt *Root, const clang::Stmt *Target,
                const Scope &In, PlacedStore &Out);
  Sum sum(const clang::Expr *E, const Scope &In);
  Sum sumOf(const clang::Expr *E, const Scope &In);
  Sum binary(const clang::BinaryOperator *B, const Scope &In);
  Sum variable(const clang::VarDecl *V, const Scope &In);
  Sum atom(std::string Key, Atom A);
  Sum opaque(const clang::Expr *E, const Scope &In);
  Sum divided(const clang::Expr *E, Sum X, int64_t By, bool Rest, bool Signed);
  StoredPlace lvalue(const clang::Expr *E, const Scope &In);
  StoredPlace pointer(const clang::Expr *E, const Scope &In);
  StoredPlace pointerVariable(const clang::VarDecl *V, const Scope &In);
  void bound(const clang::Expr *E, Atom &A);
  std::optional<std::pair<int64_t, int64_t>> boundsOf(const Sum &S) const;
  bool neverNegative(const Sum &S) const;
  int64_t swingOf(const Sum &S) const;
  bool neverWraps(const Sum &S, int64_t By) const;
  bool isOutside(const clang::VarDecl *V, const Scope &In) const;
  std::string keyOf(const Sum &S) const;
  std::set<InnerLoop> loopsOf(const Sum &S) const;
  int64_t grainOf(const Sum &S) const;
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PLACES_H
