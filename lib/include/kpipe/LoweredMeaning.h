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
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// \param Files whose text differs; their lines are where they were.
/// \returns the author's first statement that became something else; none if
/// all mean the same.
std::optional<Place>
findChangedByLowering(clang::ASTContext &Author, clang::ASTContext &Lowered,
                      const std::vector<std::string> &Files);

} // namespace kpipe

#endif // KPIPE_LOWEREDMEANING_H
