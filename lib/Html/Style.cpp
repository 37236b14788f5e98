// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The style sheet, which is style.css and travels inside the program.
#include "Style.h"
#include "Frontend/Embedded.h"

namespace kpipe::html {

llvm::StringRef styleSheet() {
  llvm::StringRef Style;
  forEachEmbeddedFile([&](llvm::StringRef File, llvm::StringRef Text) {
    if (File == EmbeddedStyle)
      Style = Text;
  });
  // Behind the comment that says what the file is.
  return Style.split("*/").second;
}

} // namespace kpipe::html
