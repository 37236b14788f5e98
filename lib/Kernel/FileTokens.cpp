// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileTokens.h.
#include "FileTokens.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace kpipe {

void eachToken(const ASTContext &Context, FileID File, unsigned From,
               unsigned To, llvm::function_ref<void(const Token &)> Visit) {
  const SourceManager &SM = Context.getSourceManager();
  bool Invalid = false;
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid || From >= To || To > Text.size())
    return;
  Lexer Tokens(SM.getLocForStartOfFile(File), Context.getLangOpts(),
               Text.begin(), Text.begin() + From, Text.end());
  Token T;
  while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof) &&
         SM.getFileOffset(T.getLocation()) < To)
    Visit(T);
}

} // namespace kpipe
