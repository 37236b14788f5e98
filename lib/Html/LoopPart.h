// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page says of one loop, and of diagnostics. Private to Html.
#ifndef KPIPE_LIB_HTML_LOOPPART_H
#define KPIPE_LIB_HTML_LOOPPART_H

#include "Places.h"

namespace kpipe::html {

/// \param Id of the section that is written; begins every id in it.
void writeLoop(llvm::raw_ostream &OS, llvm::StringRef Id,
               const LoopReport &Loop, const Places &At);

void writeDiagnostic(llvm::raw_ostream &OS, const Diagnostic &D,
                     const Places &At);

/// The verdict as a coloured word.
std::string badge(const LoopReport &Loop, LoopVerdict Verdict);

/// "2 stages, cp.async" of a pipelined loop.
std::string planInWords(const ArchReport &Arch);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_LOOPPART_H
