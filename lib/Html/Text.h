// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as text of a page. Private to Html.
#ifndef KPIPE_LIB_HTML_TEXT_H
#define KPIPE_LIB_HTML_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace kpipe::html {

/// \p Bytes as UTF-8 that a page may hold and a person can trust: what is no
/// UTF-8 becomes U+FFFD; control characters become their pictures (␀); marks
/// that turn the direction of writing, with which source can be made to look
/// like other source, are spelled out. Lines stay as they are, without CR at
/// their ends.
std::string cleaned(llvm::StringRef Bytes);

/// Clean text with `&`, `<`, `>` and quotes escaped, for content and for
/// attributes.
std::string escaped(llvm::StringRef Clean);

/// Both.
std::string text(llvm::StringRef Bytes);

/// "33 024" with narrow no-break spaces between groups.
std::string grouped(uint64_t Number);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_TEXT_H
