// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's text with copies of 16 bytes where the boxes of its tiles allow that,
// beside the author's copies: a condition in front of the loop chooses. What
// follows works on this text as if it was the author's. Lines stay where they
// are.
#ifndef KPIPE_REMAP_REMAP_H
#define KPIPE_REMAP_REMAP_H

#include "Code/Scope.h"
#include "Recognition/Body/LoopFacts.h"
#include "kpipe/TextEdit.h"
#include <string>
#include <vector>

namespace kpipe {

struct RemappedCopies {
  clang::FileID File;
  /// None where nothing is remapped.
  std::vector<TextEdit> Edits;
  /// The staged arrays whose copies are remapped, and why those of the others
  /// are not, as clauses.
  std::vector<std::string> Arrays;
  std::vector<std::pair<std::string, Message>> Not;
  /// Each array is remapped, and has a piece for every thread.
  bool Whole = false;
};

/// \param Block of the threads that the new mapping is made for. Unless it is
/// Certain the condition asks for it.
RemappedCopies remapCopies(const LoopFacts &Facts, const KnownBlock &Block);

/// The boxes of a loop as people write them, see Boxes/TileBox.h.
std::string boxesAsText(const LoopFacts &Facts, Extent3 Block);

} // namespace kpipe

#endif // KPIPE_REMAP_REMAP_H
