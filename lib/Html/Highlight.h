// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which words of CUDA source are keywords, comments and so on, roughly: a help
// for the eye, never a reason for anything. Private to Html.
#ifndef KPIPE_LIB_HTML_HIGHLIGHT_H
#define KPIPE_LIB_HTML_HIGHLIGHT_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace kpipe::html {

enum class Ink : unsigned char {
  Plain,
  Comment,
  Keyword,
  Cuda, ///< __shared__, threadIdx, kpipe:: and their like
  Literal,
  Directive
};

/// One ink for each byte of \p Source.
std::vector<Ink> inkOf(llvm::StringRef Source);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_HIGHLIGHT_H
