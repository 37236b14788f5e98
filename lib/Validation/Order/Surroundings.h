// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs around a loop without a barrier in between: before it, behind it,
// and the loop itself again, in its function and in that function's callers.
#ifndef KPIPE_VALIDATION_SURROUNDINGS_H
#define KPIPE_VALIDATION_SURROUNDINGS_H

#include "Accesses.h"

namespace kpipe {

struct Surroundings {
  /// Accesses from which the loop is reached without a barrier, and accesses
  /// that are reached from it so.
  llvm::SmallVector<Access, 16> Before, After;
  /// From its end the loop is entered again without a barrier.
  bool AgainAtOnce = false;
  /// The loop may be entered more than once, with or without barriers between.
  bool Again = false;
};

/// \param Loop a statement of \p F; \p In: a frame of F without a caller.
Surroundings surroundingsOf(const clang::Stmt *Loop, const CallFrame &In);

} // namespace kpipe

#endif // KPIPE_VALIDATION_SURROUNDINGS_H
