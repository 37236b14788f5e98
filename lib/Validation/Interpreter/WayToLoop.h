// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread does between the start of a function and a loop in it, as far
// as some statements of the loop depend on it; and what brings it there again
// with other values.
#ifndef KPIPE_VALIDATION_WAYTOLOOP_H
#define KPIPE_VALIDATION_WAYTOLOOP_H

#include "Validation/Storage/CodeIndex.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>
#include <vector>

namespace kpipe {

struct WayStep {
  enum class Kind {
    Run,   ///< the statement S
    Enter, ///< the loop is behind the condition of S, where it is Then
    Leave, ///< S ends the function if its condition holds
    Again  ///< what is Changed has other values when the thread is here again
  } What;
  const clang::Stmt *S = nullptr;
  bool Then = true;
  llvm::SmallVector<const clang::VarDecl *, 4> Changed;
};

using Statements = llvm::SmallPtrSet<const clang::Stmt *, 16>;

struct WayToLoop {
  Statements Items; ///< of the loop's body, that are to be run
  std::vector<WayStep> Steps;
  /// A loop or a label leads to the loop again; a second call of the function,
  /// with other arguments, does.
  bool Repeats = false, CalledAgain = false;
  /// A call of the function; null for a kernel.
  const clang::CallExpr *Call = nullptr;
};

/// None if there is a statement on the way that is not understood.
/// \param Items statements of the loop's body. \param Kept what is not left
/// out, whether Items depend on it or not.
std::optional<WayToLoop>
wayTo(const TileLoop &Loop, const CodeIndex &Index, Statements Items,
      llvm::function_ref<bool(const clang::Stmt *)> Kept);

/// With Items, the statements of the loop's body that change what those depend
/// on.
Statements withWhatTheyNeed(const TileLoop &Loop, Statements Items);

} // namespace kpipe

#endif // KPIPE_VALIDATION_WAYTOLOOP_H
