// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both subcommands do with one file and one architecture: parse, say what
// was passed over, run the engine. It must not write files.
#ifndef KPIPE_TOOL_SESSION_H
#define KPIPE_TOOL_SESSION_H

#include "CommonOptions.h"
#include "kpipe/Engine.h"
#include "kpipe/Reporting.h"

namespace kpipe {

struct UnitResult {
  std::unique_ptr<ParsedUnit> Unit;
  UnitOutcome Outcome;
  /// Diagnostics that belong to no loop: the front end's, then the engine's.
  std::vector<Diagnostic> Others;
};

/// \param ArchIndex which of Request.Transform.Archs.
/// \returns an error, one line with the cure, when the file cannot be read or
/// parsed.
llvm::Expected<UnitResult> processUnit(llvm::StringRef File,
                                       unsigned ArchIndex,
                                       const CommonRequest &Request);

/// The JSON of --report.
std::string jsonReport(llvm::ArrayRef<LoopReport> Loops,
                       llvm::ArrayRef<Diagnostic> Others);

} // namespace kpipe

#endif // KPIPE_TOOL_SESSION_H
