// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A diagnostic consumer that keeps errors as values instead of printing them.
// It must not know why the file is parsed.
#ifndef KPIPE_LIB_FRONTEND_ERRORCOLLECTOR_H
#define KPIPE_LIB_FRONTEND_ERRORCOLLECTOR_H

#include "kpipe/Frontend.h"
#include "clang/Basic/Diagnostic.h"
#include <vector>

namespace kpipe {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Adds an error of the front end's own, unless there is one on its line.
  void add(const clang::SourceManager &SM, clang::SourceLocation Where,
           llvm::StringRef Message);

  std::vector<ParseError> Errors;
  /// Where they are, as long as the source manager lives.
  std::vector<clang::SourceLocation> At;
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_ERRORCOLLECTOR_H
