// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds where a statement is run, as its surroundings say it: branches,
// headers of loops, `&&` and `?:`, and the jumps that were not taken before it.
// Whether it still holds there, when its variables may have changed, is for the
// caller to say.
#ifndef KPIPE_RECOGNITION_PATHCONDITIONS_H
#define KPIPE_RECOGNITION_PATHCONDITIONS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

using Turns = llvm::SmallVector<const clang::ForStmt *, 4>;

/// An expression that is true where a statement is run, or false.
struct Condition {
  const clang::Expr *Whole;
  bool Holds;
  /// How many of the loops around the statement it stands in the bodies of.
  size_t Loops;
};

struct Surrounding {
  llvm::SmallVector<Condition, 8> Conditions;
  Turns Loops; ///< around the statement, the outermost first
  /// No path leads to the statement but the one that the conditions are of.
  bool Known = true;

  Turns around(size_t Number) const {
    return Turns(Loops.begin(), Loops.begin() + Number);
  }
};

/// What holds where Target is run inside Root, which no label is in.
Surrounding surroundingOf(const clang::Stmt *Target, const clang::Stmt *Root);

/// The parts of a condition that all are what it says.
void splitCondition(Condition C, llvm::SmallVectorImpl<Condition> &To);

/// Less < More, or Less <= More.
struct Comparison {
  const clang::BinaryOperator *Test;
  const clang::Expr *Less, *More;
  bool OrEqual;
  size_t Loops; ///< see Condition
  /// What More is to be multiplied by; nothing of it is lost.
  int64_t Times = 1;
};

/// The comparison of integers that a condition is, `!(a < b)` as `b <= a`.
std::optional<Comparison> comparisonOf(const Condition &Of);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PATHCONDITIONS_H
