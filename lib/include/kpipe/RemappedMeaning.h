// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do remapped copies bring what the author's do? Nothing that remapping found out
// is believed: both are run, for all threads of a block.
#ifndef KPIPE_REMAPPEDMEANING_H
#define KPIPE_REMAPPEDMEANING_H

#include "kpipe/Diagnostic.h"
#include <array>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// \param Where the loop that was remapped begins, in both texts.
/// \param Block that the mapping is made for.
bool bringTheSame(clang::ASTContext &Author, clang::ASTContext &Remapped,
                  const Place &Where, std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_REMAPPEDMEANING_H
