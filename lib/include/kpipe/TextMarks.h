// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text that others read in the author's place keeps its lines where they were.
// What needs more lines, or fewer, has marks, which withoutMarks() carries out
// when all edits are made.
#ifndef KPIPE_TEXTMARKS_H
#define KPIPE_TEXTMARKS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace kpipe {

/// What stands where a statement went.
inline constexpr llvm::StringLiteral GoneMark = "/*~kpipe~*/";
/// In front of a brace that gets a line of its own in the end: begins the mark,
/// and what ends it behind the characters by which the line is less indented.
inline constexpr llvm::StringLiteral CloseMark = "/*~kpipe:",
                                     CloseMarkEnd = "~*/";
/// Where a line ends, and the next one is more indented than the first by so many
/// characters, or less.
inline constexpr llvm::StringLiteral LineMark = "/*~kpipe+";

inline std::string closeMark(size_t Less) {
  return (CloseMark + llvm::Twine(Less) + CloseMarkEnd).str();
}
inline std::string lineMark(int More) {
  return (LineMark + llvm::Twine(More) + CloseMarkEnd).str();
}

/// How much more a line that begins where Text ends is indented, if it does so
/// by a mark.
std::optional<int> markedDepth(llvm::StringRef Text);

/// A text with edits of its own: carries out the marks, and takes lines out that
/// held nothing else.
std::string withoutMarks(std::string Text);

} // namespace kpipe

#endif // KPIPE_TEXTMARKS_H
