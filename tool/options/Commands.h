// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands and which of them an option belongs to.
#ifndef KPIPE_TOOL_OPTIONS_COMMANDS_H
#define KPIPE_TOOL_OPTIONS_COMMANDS_H

#include "llvm/Support/CommandLine.h"

namespace kpipe {

// Inline, so that they are made before the options of every file that includes
// this.
inline llvm::cl::SubCommand
    RewriteCommand("rewrite", "pipeline the tiled K-loops of CUDA files");
inline llvm::cl::SubCommand
    AnalyzeCommand("analyze",
                   "say what rewrite would do and why; change nothing");
inline llvm::cl::SubCommand
    TuneCommand("tune", "build and run every form of a file's loops; choose "
                        "the fastest");
inline llvm::cl::SubCommand
    VerifyCommand("verify",
                  "show in the machine code that loads and compute overlap");
inline llvm::cl::SubCommand
    LspCommand("lsp", "serve an editor over the language server protocol");
inline llvm::cl::OptionCategory KpipeCategory("kpipe options");

#define KPIPE_BOTH                                                             \
  llvm::cl::sub(RewriteCommand), llvm::cl::sub(AnalyzeCommand),                \
      llvm::cl::cat(KpipeCategory)
#define KPIPE_ALL                                                              \
  KPIPE_BOTH, llvm::cl::sub(TuneCommand), llvm::cl::sub(VerifyCommand)
#define KPIPE_AND_LSP llvm::cl::sub(LspCommand)
#define KPIPE_NOT_TUNE KPIPE_BOTH, llvm::cl::sub(VerifyCommand)
#define KPIPE_NOT_VERIFY KPIPE_BOTH, llvm::cl::sub(TuneCommand)

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_COMMANDS_H
