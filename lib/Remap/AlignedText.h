// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The condition that chooses between pieces and the author's copies.
#ifndef KPIPE_REMAP_ALIGNEDTEXT_H
#define KPIPE_REMAP_ALIGNEDTEXT_H

#include "Alignments.h"
#include "Emission/SourceText.h"
#include <string>

namespace kpipe {

/// \param Block that is asked for as well.
/// Nothing where a name of it may mean something else in front of the loop.
std::optional<std::string> alignedText(const LoopFacts &Facts, Offsets &At,
                                       const Alignments &Of,
                                       const SourceText &Source,
                                       std::optional<Extent3> Block);

/// Is a name declared more than once in the loop's function?
bool isDeclaredTwice(const LoopFacts &Facts, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_REMAP_ALIGNEDTEXT_H
