// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Html: the report for people as one self-contained page. Makes text out of
// plain structs; it must not know Clang, options or files. How to read the page
// is in docs/html.md.
#ifndef KPIPE_HTML_H
#define KPIPE_HTML_H

#include "kpipe/Reporting.h"
#include "kpipe/Verify.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace kpipe {

/// One source file before and after, for all architectures whose result is the
/// same text.
struct HtmlSource {
  std::string Path;               ///< as it is shown
  std::string Name;               ///< as the places of diagnostics spell it
  std::vector<std::string> Archs; ///< "sm_86" form
  /// Any bytes; what is no UTF-8 is shown as U+FFFD.
  std::string Old, New;
};

/// Everything that a page tells. Nothing in it need be escaped.
struct HtmlReport {
  std::string Version; ///< of kpipe
  /// The command and its arguments, each as given.
  std::vector<std::string> Command;
  std::vector<std::string> Archs;
  /// As mergeReports() gives them.
  std::vector<LoopReport> Loops;
  /// Diagnostics that belong to no loop.
  std::vector<Diagnostic> Others;
  std::vector<HtmlSource> Sources;
  /// Empty: nothing was compiled, and the page has no such part.
  std::vector<KernelVerification> Machine;
};

/// Writes the page. It is valid HTML, asks for nothing from elsewhere, holds no
/// script, and is the same for the same report.
void writeHtml(llvm::raw_ostream &OS, const HtmlReport &Report);

} // namespace kpipe

#endif // KPIPE_HTML_H
