// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of a rewritten file that are longer than its author's are broken where
// people break them. Lines of the author's own stay as they are.
#ifndef KPIPE_TOOL_REWRITE_WRAPLINES_H
#define KPIPE_TOOL_REWRITE_WRAPLINES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// The width that a file's author writes in: the longest line of code, but 80 to
/// 120 columns.
unsigned widthOf(llvm::StringRef Text);

/// \param Width in columns; 0: what the old text's author writes in.
/// \returns the new text with lines that are not in the old one, wherever they
/// stand and however they are indented, broken to the width at commas and
/// operators. Only white space differs from New.
std::string wrapLines(llvm::StringRef Old, llvm::StringRef New,
                      unsigned Width = 0);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_WRAPLINES_H
