// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MacroPlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace kpipe {

bool isOfMacro(SourceLocation At, const SourceManager &SM) {
  for (; At.isMacroID(); At = SM.getImmediateSpellingLoc(At))
    if (!SM.isMacroArgExpansion(At))
      return true;
  return false;
}

SourceLocation placeInMacro(SourceLocation At, bool End,
                            const SourceManager &SM) {
  while (At.isMacroID()) {
    const CharSourceRange By = SM.getImmediateExpansionRange(At);
    const SourceLocation Up = End ? By.getEnd() : By.getBegin();
    if (Up.isFileID()) {
      const SourceLocation Place = SM.getImmediateSpellingLoc(At);
      // What is pasted together stands nowhere.
      return Place.isFileID() && !SM.isWrittenInScratchSpace(Place)
                 ? Place
                 : SourceLocation();
    }
    At = Up;
  }
  return {};
}

std::optional<SourceRange> placeInMacro(const Expr *E,
                                        const SourceManager &SM) {
  const SourceLocation Begin = placeInMacro(E->getBeginLoc(), false, SM),
                       End = placeInMacro(E->getEndLoc(), true, SM);
  if (Begin.isInvalid() || End.isInvalid() ||
      SM.getFileID(Begin) != SM.getFileID(End) || End < Begin)
    return std::nullopt;
  return SourceRange(Begin, End);
}

unsigned namedInDefinition(SourceLocation Place, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto [File, Offset] = SM.getDecomposedLoc(Place);
  const llvm::StringRef Text = SM.getBufferData(File);
  size_t Begin = Offset;
  for (;;) { // up to the line that begins the definition
    Begin = Text.rfind('\n', Begin);
    if (Begin == llvm::StringRef::npos || Begin == 0)
      break;
    const llvm::StringRef Above = Text.take_front(Begin).rtrim(" \t\r");
    if (!Above.ends_with("\\"))
      break;
    Begin = Above.size() - 1;
  }
  Begin = Begin == llvm::StringRef::npos ? 0 : Begin + 1;
  Lexer Lex(SM.getLocForStartOfFile(File), Context.getLangOpts(), Text.begin(),
            Text.begin() + Begin, Text.end());
  const unsigned Length =
      Lexer::MeasureTokenLength(Place, SM, Context.getLangOpts());
  const llvm::StringRef Name = Text.substr(Offset, Length);
  unsigned Named = 0, At = 0;
  for (Token T; !Lex.LexFromRawLexer(T); ++At) {
    if (At != 0 && T.isAtStartOfLine())
      break;
    Named += T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
  }
  return Named;
}

} // namespace kpipe
