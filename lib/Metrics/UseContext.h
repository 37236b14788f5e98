// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops and conditions that a use of an array stands in.
#ifndef KPIPE_METRICS_USECONTEXT_H
#define KPIPE_METRICS_USECONTEXT_H

#include "Code/Values.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace kpipe {

/// A condition that a use depends on, with the outcome that leads to it.
struct UseCondition {
  const clang::Expr *Asked;
  bool Wanted;
};

/// Loops and conditions around a use, outermost first.
struct UseContext {
  llvm::SmallVector<const clang::ForStmt *, 4> Loops;
  llvm::SmallVector<UseCondition, 4> Conditions;

  /// \param Path what holds the use, outermost first.
  explicit UseContext(const std::vector<const clang::Stmt *> &Path);
};

/// False if a thread surely has no part in a use. What is not known is taken
/// to hold.
bool takesPart(Values &Known, const UseContext &Site);

} // namespace kpipe

#endif // KPIPE_METRICS_USECONTEXT_H
