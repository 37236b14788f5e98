// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a unit with plain copies mean what the author's means? Nothing that the
// lowering found out is believed: the functions whose text changed are taken as
// trees and compared.
#ifndef KPIPE_LOWEREDMEANING_H
#define KPIPE_LOWEREDMEANING_H

#include "kpipe/Diagnostic.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// A statement of the author's that became something else.
struct ChangedByLowering {
  Place Where;
  /// A kernel's lines, first and last: what stands there is no other function's
  /// business. None where that is not so.
  std::optional<std::pair<unsigned, unsigned>> Kernel;
};

/// \param Files whose text differs; their lines are where they were.
/// \returns the first statement of each function that became something else; or
/// one, where only all of them together do. None if all mean the same.
std::vector<ChangedByLowering>
findChangedByLowering(clang::ASTContext &Author, clang::ASTContext &Lowered,
                      const std::vector<std::string> &Files);

} // namespace kpipe

#endif // KPIPE_LOWEREDMEANING_H
