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

/// Nothing where the range is empty, or sums and products of its values could
/// leave 64 bits.
std::optional<Range64> makeRange(__int128 Low, __int128 High, uint64_t Step);

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
  void setLoops(llvm::ArrayRef<const clang::ForStmt *> All) {
    Loops.assign(All.begin(), All.end());
  }

  /// Does a loop's variable go up, or down, in each turn? Nothing where it may
  /// do either.
  /// \param First what it begins with.
  std::optional<bool> goesUp(const clang::ForStmt *Loop, const Range64 &First);

private:
  const clang::ASTContext &Context;
  Values &Known;
  Extent3 Axes;
  llvm::SmallVector<const clang::ForStmt *, 4> Loops;
  unsigned Depth = 0;

  std::optional<Range64> compute(const clang::Expr *E);
  std::optional<Range64> lookedUp(const clang::ArraySubscriptExpr *A);
  std::optional<Range64> binary(const clang::BinaryOperator *B);
  std::optional<Range64> variable(const clang::VarDecl *V);
  /// What the update of a loop does: in steps of what, and by at most how much
  /// where it adds.
  struct Turn {
    bool Up;
    uint64_t Step;
    int64_t Most;
    int64_t Times = 1; ///< more where it is multiplied
  };
  /// Nothing where it may go up or down, or where there is no update.
  std::optional<Turn> eachTurn(const clang::Expr *Inc, const Range64 &From);
  std::optional<Range64> ofLoop(const clang::ForStmt *F,
                                const clang::VarDecl *V);
  std::optional<Range64> builtin(const clang::PseudoObjectExpr *P);
  std::optional<Range64> fitting(std::optional<Range64> R, clang::QualType T);
};

} // namespace kpipe

#endif // KPIPE_CODE_RANGES_H
