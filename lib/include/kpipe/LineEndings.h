// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line endings of text that goes into a file: those that the file has. What
// kpipe makes has '\n' until then.
#ifndef KPIPE_LINEENDINGS_H
#define KPIPE_LINEENDINGS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// Do most lines of a file end with "\r\n"?
inline bool endsLinesWithCrlf(llvm::StringRef File) {
  return 2 * File.count("\r\n") > File.count('\n');
}

/// The text with "\r\n" at the end of each line, where it may be already.
inline std::string withCrlf(llvm::StringRef Text) {
  std::string Out;
  for (size_t I = 0; I != Text.size(); ++I) {
    if (Text[I] == '\n' && (I == 0 || Text[I - 1] != '\r'))
      Out += '\r';
    Out += Text[I];
  }
  return Out;
}

} // namespace kpipe

#endif // KPIPE_LINEENDINGS_H
