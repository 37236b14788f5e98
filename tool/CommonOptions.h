// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that the subcommands share, and their way into plain values.
// Only the driver knows how options are spelled.
#ifndef KPIPE_TOOL_COMMONOPTIONS_H
#define KPIPE_TOOL_COMMONOPTIONS_H

#include "kpipe/Frontend.h"
#include "kpipe/Options.h"
#include "llvm/Support/CommandLine.h"

namespace kpipe {

// Inline, so that they are made before the options of every file that includes
// this.
inline llvm::cl::SubCommand
    RewriteCommand("rewrite", "pipeline the tiled K-loops of CUDA files");
inline llvm::cl::SubCommand
    AnalyzeCommand("analyze",
                   "say what rewrite would do and why; change nothing");
inline llvm::cl::OptionCategory KpipeCategory("kpipe options");

/// What both subcommands are asked.
struct CommonRequest {
  std::vector<std::string> Files;
  TransformOptions Transform;
  FrontendOptions Frontend;
  /// Errors that would be passed over are fatal.
  bool Strict = false;
  /// Where the JSON report goes; empty: nowhere.
  std::string ReportFile;
};

/// Reads the options that were parsed.
/// \param Program argv[0].
/// \param Flags the arguments after `--`.
/// \returns an error, one line with the cure, when options are malformed or
/// contradict each other.
llvm::Expected<CommonRequest>
readCommonOptions(llvm::StringRef Program, llvm::ArrayRef<std::string> Flags);

/// Prints "kpipe: error: …" and gives the exit code for it.
int fail(llvm::Error Why);
/// Makes an error of one line.
llvm::Error optionError(const llvm::Twine &Message);

/// The subcommands. Each returns the exit code.
int runRewrite(CommonRequest Request);
int runAnalyze(CommonRequest Request);

} // namespace kpipe

#endif // KPIPE_TOOL_COMMONOPTIONS_H
