// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file that has, for each architecture, what that would get alone. It must
// not know how a plan is made.
#ifndef KPIPE_TOOL_REWRITE_PERARCH_H
#define KPIPE_TOOL_REWRITE_PERARCH_H

#include "Rewriter.h"

namespace kpipe {

/// rewriteFile() for each architecture of the request; what differs stands
/// between conditions, and each branch is checked as a result of its own. Where
/// conditions have no place, a line says so and it is rewriteForAll().
llvm::Expected<FileResult> rewriteForEach(FileRequest Request, bool Alone);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_PERARCH_H
