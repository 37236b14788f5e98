// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions of the load region as sums of atoms, for one thread
// within one tile. ExpressionSums.cpp takes operators apart,
// SumsOfVariables.cpp follows variables and names what is a value of its own.
#ifndef KPIPE_RECOGNITION_EXPRESSIONSUMS_H
#define KPIPE_RECOGNITION_EXPRESSIONSUMS_H

#include "Code/Ranges.h"
#include "Code/Values.h"
#include "Recognition/Body/LoopFacts.h"
#include "Sums.h"
#include "llvm/ADT/FoldingSet.h"
#include <vector>

namespace kpipe {

/// What surrounds the store that is looked at.
struct StoreSite {
  static constexpr unsigned MostDepth = 48;

  /// Loops of a counted form, outermost first.
  std::vector<std::pair<CopyLoop, const clang::CallExpr *>> Around;
  /// All of its loops.
  std::set<InnerLoop> Loops;
  /// Of the helper that holds it.
  const clang::CallExpr *Call = nullptr;
  /// Of the expression that is taken apart; beyond MostDepth nothing is Known.
  unsigned Depth = 0;
};

/// Is one of its atoms a value that may have changed since it was used?
bool mayHaveChanged(const Sum &S);

class ExpressionSums {
public:
  /// \param At the store that the next questions are about.
  ExpressionSums(const LoopFacts &Facts, StoreSite &At);

  Sum of(const clang::Expr *E, const Scope &In);
  const AtomTable &atoms() const { return Atoms; }

  /// Has V the value of its initialisation for good?
  bool isUnchanged(const clang::VarDecl *V) { return Known.unchanged(V); }
  /// Is it written by the load region other than by its initialisation?
  bool isMoving(const clang::VarDecl *V) const { return Moving.count(V) != 0; }
  /// Declared before the loop, in the loop's own function.
  bool isOutside(const clang::VarDecl *V, const Scope &In) const;

private:
  const LoopFacts &Facts;
  StoreSite &At;
  Values Known;
  VarSet Moving;
  AtomTable Atoms;
  /// Expressions that are values of their own, by number.
  std::vector<llvm::FoldingSetNodeID> Seen;

  Sum compute(const clang::Expr *E, const Scope &In);
  Sum binary(const clang::BinaryOperator *B, const Scope &In);
  /// `/`, `%`, `>>`, `&`: by a constant, or a value of its own.
  Sum quotient(const clang::BinaryOperator *B, const Scope &In);
  Sum divided(const clang::Expr *E, Sum X, int64_t By, bool Rest, bool Bits);
  Sum product(const clang::BinaryOperator *B, const Scope &In);
  Sum exclusiveOr(const clang::BinaryOperator *B, const Scope &In);
  /// Of the store, by the loops around it and the threads of the block.
  Ranges ranges();
  /// The bounds of E.
  void bound(const clang::Expr *E, Atom &A);
  Sum variable(const clang::VarDecl *V, const Scope &In);
  /// The variable of a loop around the store.
  Sum counter(const CopyLoop &L, const clang::CallExpr *Within,
              const Scope &In);
  std::optional<int64_t> givenEnd(const CopyLoop &L, const Scope &In);
  void boundCounter(const CopyLoop &L, Atom &A);
  /// A value that is a function of the variables in it, and of what it reads.
  Sum opaque(const clang::Expr *E, const Scope &In);
  std::string numberOf(const clang::Expr *E, const Scope &In);
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_EXPRESSIONSUMS_H
