// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One set of language options for all who ask, see RawTokens.h.
#include "RawTokens.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include <string>

namespace kpipe {

std::vector<RawToken> rawTokens(llvm::StringRef Text, bool Comments) {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
      Options.CPlusPlus17 = Options.CUDA = true;
  Options.LineComment = Options.RawStringLiterals = true;
  const std::string Ended = Text.str(); // the lexer wants its zero
  const char *Begin = Ended.data();
  clang::Lexer Lexer(clang::SourceLocation(), Options, Begin, Begin,
                     Begin + Ended.size());
  Lexer.SetCommentRetentionState(Comments);
  std::vector<RawToken> All;
  clang::Token T;
  bool End;
  do {
    End = Lexer.LexFromRawLexer(T);
    const size_t Behind = Lexer.getBufferLocation() - Begin;
    if (T.getLength())
      All.push_back({Behind - T.getLength(), T.getLength(), T.getKind(),
                     T.isAtStartOfLine()});
  } while (!End);
  return All;
}

} // namespace kpipe
