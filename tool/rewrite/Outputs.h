// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where rewritten texts go: standard output, files, a diff, fixes for
// clang-apply-replacements. It must not know how the texts came about.
#ifndef KPIPE_TOOL_REWRITE_OUTPUTS_H
#define KPIPE_TOOL_REWRITE_OUTPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// One file before and after.
struct RewrittenFile {
  std::string Path; ///< as the user, or for a header Clang, names it
  std::string Old, New;
  bool IsHeader = false;
};

/// -o of this name is standard output.
inline constexpr llvm::StringLiteral StandardOutput = "-";

/// What the options say about the output; at most one of them is set.
struct OutputRequest {
  std::string File;      ///< -o
  std::string Directory; ///< --output-dir
  bool InPlace = false;  ///< -i
  bool DryRun = false;   ///< -n
  bool Diff = false;     ///< --diff
  /// May be set beside any of the above.
  std::string FixesFile; ///< --export-fixes
};

/// Checks the request before any input is read: contradictions, outputs that
/// are inputs, two inputs that would get one output.
llvm::Error checkOutputs(const OutputRequest &Request,
                         llvm::ArrayRef<std::string> Inputs);

/// An error if Output, named by Option, is one of the inputs.
llvm::Error refuseInputs(llvm::ArrayRef<std::string> Inputs,
                         llvm::StringRef Output, llvm::StringRef Option);

/// A file that an option names to be written; empty names stand for none.
struct NamedOutput {
  std::string Path;
  llvm::StringRef Option; ///< "--report"
};

/// An error if two options name one file. Devices may be named twice.
llvm::Error refuseClashes(llvm::ArrayRef<NamedOutput> Outputs);

/// A report that is written beside the outputs.
struct ExtraFile {
  std::string Path, Text;
};

/// Puts everything in place, or nothing.
llvm::Error writeOutputs(const OutputRequest &Request,
                         llvm::ArrayRef<RewrittenFile> Files,
                         llvm::ArrayRef<ExtraFile> Extra);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_OUTPUTS_H
