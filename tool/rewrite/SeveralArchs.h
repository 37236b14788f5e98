// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text for several architectures: the file is parsed, planned and checked
// for each of them, and what they do not agree on stays as it is. It must not
// know how a plan is made.
#ifndef KPIPE_TOOL_REWRITE_SEVERALARCHS_H
#define KPIPE_TOOL_REWRITE_SEVERALARCHS_H

#include "Rewriter.h"

namespace kpipe {

/// rewriteFile() for all architectures of the request. The outcome has each
/// loop once for each of them.
llvm::Expected<FileResult> rewriteForAll(FileRequest Request, bool Alone);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_SEVERALARCHS_H
