// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatText.h"
#include "kpipe/TextMarks.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

/// `#pragma unroll 4` as a token. \param At the text behind the `#`.
static std::optional<std::string> pragmaIn(llvm::StringRef At) {
  llvm::StringRef Line = At.take_until([](char C) { return C == '\n'; }).trim();
  if (!Line.consume_front("pragma") || Line.ends_with("\\") ||
      Line.find_first_of("\"\\/") != llvm::StringRef::npos)
    return std::nullopt;
  return ("_Pragma(\"" + Line.trim() + "\")").str();
}

std::optional<TextTokens> tokensOf(llvm::StringRef Text,
                                   const LangOptions &Language) {
  const std::string Ended = Text.str(); // the lexer asks for its end
  Lexer Lex(SourceLocation(), Language, Ended.data(), Ended.data(),
            Ended.data() + Ended.size());
  TextTokens All;
  unsigned Skipped = 0; // the end of a pragma's line
  for (Token T;;) {
    const bool Last = Lex.LexFromRawLexer(T);
    if (T.is(tok::eof))
      break;
    const unsigned End = Lex.getBufferLocation() - Ended.data();
    const unsigned Begin = End - T.getLength();
    if (Begin >= Skipped) {
      TextToken New;
      New.Apart = T.hasLeadingSpace() || T.isAtStartOfLine();
      if (T.is(tok::hash) && T.isAtStartOfLine()) {
        auto Pragma = pragmaIn(llvm::StringRef(Ended).drop_front(End));
        if (!Pragma)
          return std::nullopt;
        New.Text = std::move(*Pragma);
        New.Apart = true;
        Skipped = std::min(Ended.find('\n', End), Ended.size());
      } else {
        New.Text = llvm::StringRef(Ended).slice(Begin, End).str();
        New.Identifier = T.is(tok::raw_identifier);
        if (T.needsCleaning())
          return std::nullopt; // a line goes on within it
      }
      All.push_back(std::move(New));
    }
    if (Last)
      break;
  }
  return std::move(All);
}

static bool isWord(llvm::StringRef Text, bool Front) {
  const char C = Text.empty() ? ' ' : Front ? Text.front() : Text.back();
  return llvm::isAlnum(C) || C == '_';
}

/// Does a brace begin a block behind such a token? Not a list of values.
static bool beginsBlock(llvm::StringRef Before) {
  return Before.empty() || Before == ")" || Before == ";" || Before == "{" ||
         Before == "}" || Before == "else" || Before == "do";
}

std::string laidOut(const TextTokens &Tokens) {
  std::string Out;
  llvm::SmallVector<bool, 8> Blocks; ///< of open braces
  int Depth = 0;
  unsigned Parens = 0;
  llvm::StringRef Before;
  bool NewLine = false;
  for (const TextToken &T : Tokens) {
    const bool Closes = T.Text == "}" && !Blocks.empty();
    const bool ClosesBlock = Closes && Blocks.back();
    if (ClosesBlock)
      --Depth;
    const bool GoesOn =
        Before == "}" && (T.Text == "else" || T.Text == "while" ||
                          T.Text == ";" || T.Text == "," || T.Text == ")");
    if (!Out.empty() && ((NewLine && !GoesOn) || (ClosesBlock && !NewLine)))
      Out += lineMark(2 * Depth);
    else if (T.Apart || GoesOn || T.Text == "{" ||
             (isWord(Before, false) && isWord(T.Text, true)))
      Out += Out.empty() || T.Text == ";" || T.Text == "," ? "" : " ";
    Out += T.Text;
    NewLine = false;
    if (T.Text == "(" || T.Text == "[")
      ++Parens;
    else if ((T.Text == ")" || T.Text == "]") && Parens)
      --Parens;
    else if (T.Text == "{") {
      Blocks.push_back(!Parens && beginsBlock(Before));
      Depth += Blocks.back();
      NewLine = Blocks.back();
    } else if (Closes) {
      NewLine = ClosesBlock;
      Blocks.pop_back();
    } else {
      NewLine = !Parens && (T.Text == ";" ||
                            llvm::StringRef(T.Text).starts_with("_Pragma("));
    }
    Before = T.Text;
  }
  return Out;
}

} // namespace kpipe
