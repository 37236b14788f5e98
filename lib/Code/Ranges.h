// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of integer expressions that hold for every thread and every iteration:
// the least value, the greatest, and a step that all values are apart from the
// least. What cannot be bounded has no range. Knows no arrays.
#ifndef KPIPE_CODE_RANGES_H
#define KPIPE_CODE_RANGES_H

#include "Values.h"

namespace kpipe {

/// Low, Low + Step, … High; Step is 0 for a single value.
struct Range64 {
  int64_t Low = 0, High = 0;
  uint64_t Step = 0;

  /// What divides all values; 0 if all are 0.
  uint64_t divisor() const;
};

class Ranges {
public:
  /// \param Known tells constants; a thread set there is that thread.
  /// \param Axes most threads of a block on each axis.
  Ranges(const clang::ASTContext &Context, Values &Known, Extent3 Axes)
      : Context(Context), Known(Known), Axes(Axes) {}

  std::optional<Range64> of(const clang::Expr *E);

  /// The loops around what is asked about: their variables are between the
  /// first value and the bound.
  void enter(const clang::ForStmt *Loop) { Loops.push_back(Loop); }
  void leave() { Loops.pop_back(); }

private:
  const clang::ASTContext &Context;
  Values &Known;
  Extent3 Axes;
  llvm::SmallVector<const clang::ForStmt *, 4> Loops;
  unsigned Depth = 0;

  std::optional<Range64> compute(const clang::Expr *E);
  std::optional<Range64> binary(const clang::BinaryOperator *B);
  std::optional<Range64> variable(const clang::VarDecl *V);
  /// Does the update of a loop go up, and in steps of what; nothing where it may
  /// do either.
  std::optional<std::pair<bool, uint64_t>> eachTurn(const clang::Expr *Inc,
                                                    const Range64 &From);
  std::optional<Range64> ofLoop(const clang::ForStmt *F,
                                const clang::VarDecl *V);
  std::optional<Range64> builtin(const clang::PseudoObjectExpr *P);
  std::optional<Range64> fitting(std::optional<Range64> R, clang::QualType T);
};

} // namespace kpipe

#endif // KPIPE_CODE_RANGES_H
