// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the copy engine bring what the author's threads do? Nothing that the
// writer of the text found out is believed: both are run.
#ifndef KPIPE_TMAMEANING_H
#define KPIPE_TMAMEANING_H

#include "kpipe/Diagnostic.h"
#include <array>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// \param Where the loop begins, in both texts.
/// \param Block of all launches.
bool engineBringsTheSame(clang::ASTContext &Author, clang::ASTContext &Engine,
                         const Place &Where, std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_TMAMEANING_H
