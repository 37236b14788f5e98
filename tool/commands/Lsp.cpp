// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe lsp`: an editor at the other end of standard input and output.
#include "lsp/Server.h"

namespace kpipe {

int runLsp(CommonRequest Request) { return serveEditor(Request); }

} // namespace kpipe
