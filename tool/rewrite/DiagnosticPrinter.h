// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics on the terminal, in Clang's form: place, severity, message, id,
// source line and caret. It must not know what they are about.
#ifndef KPIPE_TOOL_REWRITE_DIAGNOSTICPRINTER_H
#define KPIPE_TOOL_REWRITE_DIAGNOSTICPRINTER_H

#include "kpipe/Diagnostic.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace kpipe {

class DiagnosticPrinter {
public:
  /// Gathers diagnostics; they are written to To as a whole when this ends, so
  /// that those of programs that run beside it stay apart.
  DiagnosticPrinter(llvm::raw_ostream &To, bool Colored)
      : To(To), OS(Text), Colored(Colored) {
    OS.enable_colors(Colored);
  }
  ~DiagnosticPrinter();
  DiagnosticPrinter(const DiagnosticPrinter &) = delete;
  DiagnosticPrinter &operator=(const DiagnosticPrinter &) = delete;

  /// Source lines of File are taken from Text; other files are read.
  void setText(llvm::StringRef File, llvm::StringRef Text);

  void print(const Diagnostic &D);

private:
  void printOne(const Place &Where, llvm::StringRef Severity,
                llvm::raw_ostream::Colors Color, llvm::StringRef Message,
                llvm::StringRef Id);
  void printSourceLine(const Place &Where);
  /// The lines that a fix adds or changes, as they would be.
  void printFix(const Fix &F);

  /// A file's text and the offset of each of its lines.
  struct Source {
    std::string Text;
    std::vector<size_t> Lines;
  };
  void setSource(Source &S, std::string Text);
  const Source &sourceOf(llvm::StringRef File);

  llvm::raw_ostream &To;
  std::string Text;
  llvm::raw_string_ostream OS;
  const bool Colored;
  llvm::StringMap<Source> Sources;
};

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_DIAGNOSTICPRINTER_H
