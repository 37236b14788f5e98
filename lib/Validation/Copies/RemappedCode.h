// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function, and the same with branches that copy in another way: everything
// else is equal, statement by statement. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_REMAPPEDCODE_H
#define KPIPE_LIB_VALIDATION_REMAPPEDCODE_H

#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/Tree.h"
#include <vector>

namespace kpipe {

/// `if (aligned) { … } else { what the author wrote }`
struct RemappedBranch {
  const clang::IfStmt *If = nullptr;
  const clang::Expr *Condition = nullptr; ///< or what the flag was given
  /// Condition is asked in front of the loop.
  bool InFront = false;
};

struct RemappedCode {
  bool Same = false;
  std::vector<RemappedBranch> Branches;
};

RemappedCode compareRemapped(const Tree &Author, const Tree &Remapped);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_REMAPPEDCODE_H
