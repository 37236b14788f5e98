// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves Clang's errors to file, line and column at the moment they are
// reported, so that they outlive the AST.
#include "ErrorCollector.h"
#include "Instantiate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/ADT/SmallString.h"

namespace kpipe {

/// As for all diagnostics, an author's #line does not count: the text is what is
/// edited. Those of --instantiate name the argument.
static Place placeOf(const clang::SourceManager &SM, clang::SourceLocation L) {
  L = SM.getExpansionLoc(L);
  clang::PresumedLoc Where = SM.getPresumedLoc(L);
  if (Where.isValid() && Where.getFilename() != InstantiateFileName)
    Where = SM.getPresumedLoc(L, /*UseLineDirectives=*/false);
  if (Where.isInvalid())
    return {};
  return {Where.getFilename(), Where.getLine(), Where.getColumn()};
}

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                      const clang::Diagnostic &Info) {
  clang::DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Level < clang::DiagnosticsEngine::Error)
    return;
  ParseError Error;
  llvm::SmallString<128> Message;
  Info.FormatDiagnostic(Message);
  Error.Message = Message.str().str();
  if (Info.hasSourceManager() && Info.getLocation().isValid())
    Error.Where = placeOf(Info.getSourceManager(), Info.getLocation());
  Error.MissingFile = Info.getID() == clang::diag::err_pp_file_not_found;
  Errors.push_back(std::move(Error));
  At.push_back(Info.getLocation());
}

void ErrorCollector::add(const clang::SourceManager &SM,
                         clang::SourceLocation Where,
                         llvm::StringRef Message) {
  ParseError Error;
  Error.Where = placeOf(SM, Where);
  Error.Message = Message.str();
  for (const ParseError &Known : Errors)
    if (Known.Where.File == Error.Where.File &&
        Known.Where.Line == Error.Where.Line)
      return;
  Errors.push_back(std::move(Error));
  At.push_back(Where);
}

} // namespace kpipe
