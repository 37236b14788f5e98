// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the page looks. Private to Html.
#ifndef KPIPE_LIB_HTML_STYLE_H
#define KPIPE_LIB_HTML_STYLE_H

#include "llvm/ADT/StringRef.h"

namespace kpipe::html {

/// The style sheet, which names nothing outside of the page.
llvm::StringRef styleSheet();

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_STYLE_H
