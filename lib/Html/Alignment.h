// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which line of the old text stands beside which of the new one. Private to
// Html.
#ifndef KPIPE_LIB_HTML_ALIGNMENT_H
#define KPIPE_LIB_HTML_ALIGNMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace kpipe::html {

/// One row of a side-by-side view.
struct AlignedRow {
  static constexpr unsigned None = ~0u;
  /// Lines from 0, or None.
  unsigned Old = None, New = None;
  /// The new line is another form of the old one, or the same.
  bool IsPair = false;
  bool IsSame = false;
};

/// All lines of both texts, each once and in order. Within a stretch that
/// changed, lines that are alike share a row.
std::vector<AlignedRow> align(llvm::ArrayRef<llvm::StringRef> Old,
                              llvm::ArrayRef<llvm::StringRef> New);

/// Parts [first, second) of a line, in bytes and in order.
using LineParts = std::vector<std::pair<size_t, size_t>>;

/// What of two lines is not in the other one, in whole words; indentation does
/// not count. Nothing of very long lines.
struct ChangedParts {
  LineParts Old, New;
};
ChangedParts changedParts(llvm::StringRef Old, llvm::StringRef New);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_ALIGNMENT_H
