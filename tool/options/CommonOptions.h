// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that the subcommands share, and their way into plain values.
// Only the driver knows how options are spelled.
#ifndef KPIPE_TOOL_OPTIONS_COMMONOPTIONS_H
#define KPIPE_TOOL_OPTIONS_COMMONOPTIONS_H

#include "Commands.h"
#include "kpipe/Frontend.h"
#include "kpipe/Options.h"
#include <optional>

namespace kpipe {

/// Where registers are known from.
enum class RegisterSource {
  Auto, ///< from nvcc where there is one and it compiles the file
  Nvcc, ///< the same, and it is an error if there is no nvcc
  Estimate
};

/// What is asked for one file.
struct FileRequest {
  std::string File;
  TransformOptions Transform;
  FrontendOptions Frontend;
  RegisterSource Registers = RegisterSource::Auto;
  /// Errors that would be passed over are fatal.
  bool Strict = false;
  /// Errors that concern host code alone are said, too.
  bool Verbose = false;
  /// Diagnostics have colours.
  bool Colored = false;
  /// Lines of the output say which lines of the input they come from.
  bool LineDirectives = false;
  /// The `.kpipe` files and the profile that were read for it.
  std::vector<std::string> SettingsFiles;
};

/// What every subcommand is asked.
struct CommonRequest {
  /// In the order of the command line, or of the compile database.
  std::vector<FileRequest> Files;
  /// Where the JSON report, the SARIF report, the page and edits for
  /// clang-apply-replacements go; empty: nowhere.
  std::string ReportFile, SarifFile, HtmlFile, FixesFile;
  /// What readFileRequest() is given for more files.
  std::string Program;
  std::vector<std::string> Flags;
  /// The command as it was given, for the page.
  std::vector<std::string> Command;
  bool Colored = false;
  /// Files that are worked on at once.
  unsigned Jobs = 1;
  /// Other programs that may run at once for one of them.
  unsigned Compilations = 1;

  std::vector<std::string> names() const;
};

/// What is asked for one file: by the options that were parsed, and by the
/// `.kpipe` files around it.
/// \param Flags for the compiler, those of --flags-file included.
/// \returns an error, one line with the cure, where they are malformed or
/// contradict each other.
llvm::Expected<FileRequest> readFileRequest(const std::string &File,
                                            llvm::StringRef Program,
                                            llvm::ArrayRef<std::string> Flags);

/// Reads the options that were parsed, and each file's `.kpipe` files.
/// \param Program argv[0].
/// \param Flags the arguments after `--`.
/// \returns an error, one line with the cure, when options are malformed or
/// contradict each other. Nothing, after the effective settings of each file
/// were printed, if they were asked for.
llvm::Expected<std::optional<CommonRequest>>
readCommonOptions(llvm::StringRef Program, llvm::ArrayRef<std::string> Flags);

/// The subcommands. Each returns the exit code.
int runRewrite(CommonRequest Request);
int runAnalyze(CommonRequest Request);
int runTune(CommonRequest Request);
int runVerify(CommonRequest Request);
int runLsp(CommonRequest Request);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_COMMONOPTIONS_H
