// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the copy engine bring, row by row, what the author's threads do, and do
// these do it where rows are unaligned? Nothing that the writer of the text
// found out is believed: both are run.
#ifndef KPIPE_BULKMEANING_H
#define KPIPE_BULKMEANING_H

#include "kpipe/Diagnostic.h"
#include <array>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// \param Where the loop begins, in both texts.
/// \param Block of all launches.
bool engineBringsRows(clang::ASTContext &Author, clang::ASTContext &Engine,
                      const Place &Where, std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_BULKMEANING_H
