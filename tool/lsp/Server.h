// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: which message of an editor's is answered with what. It
// works on one thread, on what the editor has open; texts are analysed when no
// message has come for a while, or when one asks about them.
#ifndef KPIPE_TOOL_LSP_SERVER_H
#define KPIPE_TOOL_LSP_SERVER_H

#include "options/CommonOptions.h"

namespace kpipe {

/// Serves the editor at standard input and output until it says goodbye.
/// \returns the exit code, as the protocol wants it.
int serveEditor(const CommonRequest &Options);

} // namespace kpipe

#endif // KPIPE_TOOL_LSP_SERVER_H
