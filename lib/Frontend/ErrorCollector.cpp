// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves Clang's errors to file, line and column at the moment they are
// reported, so that they outlive the AST.
#include "ErrorCollector.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

namespace kpipe {

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                      const clang::Diagnostic &Info) {
  clang::DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Level < clang::DiagnosticsEngine::Error)
    return;
  ParseError Error;
  llvm::SmallString<128> Message;
  Info.FormatDiagnostic(Message);
  Error.Message = Message.str().str();
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    const clang::SourceManager &SM = Info.getSourceManager();
    clang::PresumedLoc Where =
        SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
    if (Where.isValid())
      Error.Where = {Where.getFilename(), Where.getLine(), Where.getColumn()};
  }
  Errors.push_back(std::move(Error));
}

} // namespace kpipe
