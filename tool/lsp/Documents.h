// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that an editor has open: their texts, what is said of them, and one
// loop of theirs pipelined. It must not know the protocol.
#ifndef KPIPE_TOOL_LSP_DOCUMENTS_H
#define KPIPE_TOOL_LSP_DOCUMENTS_H

#include "kpipe/Diagnostic.h"
#include "kpipe/Reporting.h"
#include "options/CommonOptions.h"
#include "rewrite/Outputs.h"

namespace kpipe {

/// A loop as an editor needs it.
struct EditorLoop {
  Place Where;
  unsigned LastLine = 0;
  bool Pipelined = false; ///< would be, for some architecture
};

/// What was found in a text.
struct Analysis {
  /// How the places of diagnostics spell the file.
  std::string MainFile;
  std::vector<Diagnostic> Diagnostics;
  std::vector<EditorLoop> Loops;
  std::vector<LoopReport> Reports;
  /// Why nothing could be found, one line.
  std::string Error;
};

struct Document {
  /// As the editor spells it.
  std::string Uri;
  std::string Path, Text;
  int64_t Version = 0;
  /// The text has changed since, or what it includes may have.
  bool Stale = true;
  Analysis Known;
};

/// What `kpipe analyze` says of the text.
Analysis analyze(const Document &D, const CommonRequest &Options);

/// The loop that a range of lines, which count from 1, begins in or touches;
/// the innermost one. Null if there is none.
const EditorLoop *loopAt(const Analysis &Known, unsigned First, unsigned Last);

/// The table of `kpipe analyze` for one loop.
std::string budgetOf(const Analysis &Known, const EditorLoop &Loop);

/// The files with that loop pipelined and no other.
/// \returns an error that says why it cannot be.
llvm::Expected<std::vector<RewrittenFile>>
pipelineLoop(const Document &D, const EditorLoop &Loop,
             const CommonRequest &Options);

} // namespace kpipe

#endif // KPIPE_TOOL_LSP_DOCUMENTS_H
