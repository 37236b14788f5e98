// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the stores of one thread go within one tile: an array, and how many
// bytes from its start, as a sum.
#ifndef KPIPE_RECOGNITION_PLACES_H
#define KPIPE_RECOGNITION_PLACES_H

#include "Recognition/Sums/ExpressionSums.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kpipe {

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
  explicit Places(const LoopFacts &Facts) : Facts(Facts), Sums(Facts, At) {}

  /// The store of a copy, with its place.
  PlacedStore of(const TileCopy &C);
  /// Of all places so far.
  const AtomTable &atoms() const { return Sums.atoms(); }

private:
  const LoopFacts &Facts;
  StoreSite At;
  ExpressionSums Sums;

  void surround(const clang::Stmt *Root, const clang::Stmt *Target,
                const Scope &In, PlacedStore &Out);
  StoredPlace lvalue(const clang::Expr *E, const Scope &In);
  StoredPlace pointer(const clang::Expr *E, const Scope &In);
  StoredPlace pointerVariable(const clang::VarDecl *V, const Scope &In);
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PLACES_H
