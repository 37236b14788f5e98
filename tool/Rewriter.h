// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file's name to its rewritten text, in memory: parse, transform, apply
// the edits, check the result. It must not know what an edit means, or write
// files.
#ifndef KPIPE_TOOL_REWRITER_H
#define KPIPE_TOOL_REWRITER_H

#include "DiagnosticPrinter.h"
#include "Outputs.h"
#include "Session.h"

namespace kpipe {

/// All inputs' results, gathered before anything is written.
class Rewriter {
public:
  /// \param OS where diagnostics are printed.
  Rewriter(const CommonRequest &Request, llvm::raw_ostream &OS)
      : Request(Request), Printer(OS) {}

  /// \returns an error, one line with the cure, after which nothing may be
  /// written.
  llvm::Error process(llvm::StringRef File);

  /// Each input and each edited header, also where nothing changed in it.
  std::vector<RewrittenFile> Files;
  std::vector<LoopReport> Loops;
  std::vector<Diagnostic> Others;
  unsigned Refused = 0;

private:
  llvm::Error applyChanges(llvm::StringRef File, UnitResult &Result);
  llvm::Error addHeader(RewrittenFile Header);

  const CommonRequest &Request;
  DiagnosticPrinter Printer;
};

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITER_H
