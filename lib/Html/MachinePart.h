// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page says of checked machine code. Private to Html.
#ifndef KPIPE_LIB_HTML_MACHINEPART_H
#define KPIPE_LIB_HTML_MACHINEPART_H

#include "kpipe/Html.h"

namespace kpipe::html {

/// \param Id of the section that is written; begins every id in it.
void writeMachine(llvm::raw_ostream &OS, llvm::StringRef Id,
                  const KernelVerification &Kernel);

/// "3 hold, 1 fails" of a kernel's checks, in coloured words.
std::string verdicts(const KernelVerification &Kernel);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_MACHINEPART_H
