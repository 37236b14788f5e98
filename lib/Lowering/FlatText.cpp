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

namespace {

/// What stands where, as one walks through the tokens.
class Layout {
public:
  std::string run(const TextTokens &Tokens) {
    for (const TextToken &T : Tokens) {
      space(T);
      Out += T.Text;
      take(T);
      Before = T.Text;
    }
    return std::move(Out);
  }

private:
  std::string Out;
  struct Brace {
    bool Block;
    unsigned Lines; ///< that its statements are indented by
  };
  llvm::SmallVector<Brace, 8> Open;
  unsigned Depth = 0, Parens = 0;
  /// Statements that the next one belongs to without braces, `for (…)`.
  unsigned Governing = 0;
  bool NewLine = false;
  bool Head = false; ///< of `for (…)` and its like, until the `)`
  llvm::StringRef Before;

  bool closesBlock(const TextToken &T) const {
    return T.Text == "}" && !Open.empty() && Open.back().Block;
  }

  void space(const TextToken &T) {
    if (closesBlock(T))
      Depth -= Open.back().Lines;
    const bool GoesOn =
        Before == "}" && (T.Text == "else" || T.Text == "while" ||
                          T.Text == ";" || T.Text == "," || T.Text == ")");
    const bool HeadEnds = Head && !Parens && Before == ")";
    const bool Governed = HeadEnds && T.Text != "{" && T.Text != ";";
    Governing += Governed;
    Head &= !HeadEnds;
    if (!Out.empty() &&
        ((NewLine && !GoesOn) || Governed || (closesBlock(T) && !NewLine)))
      Out += lineMark(2 * (Depth + Governing));
    else if (T.Apart || GoesOn || T.Text == "{" ||
             (isWord(Before, false) && isWord(T.Text, true)))
      Out += Out.empty() || T.Text == ";" || T.Text == "," ? "" : " ";
  }

  void take(const TextToken &T) {
    NewLine = false;
    if (!Parens && (T.Text == "for" || T.Text == "if" || T.Text == "while"))
      Head = true;
    if (T.Text == "(" || T.Text == "[") {
      ++Parens;
    } else if ((T.Text == ")" || T.Text == "]") && Parens) {
      --Parens;
    } else if (T.Text == "{") {
      const bool Block = !Parens && beginsBlock(Before);
      Open.push_back({Block, Block ? Governing + 1 : 0});
      Depth += Open.back().Lines;
      Governing = Block ? 0 : Governing;
      NewLine = Block;
    } else if (T.Text == "}" && !Open.empty()) {
      NewLine = Open.back().Block;
      Open.pop_back();
    } else {
      const bool Ends = !Parens && T.Text == ";";
      Governing = Ends ? 0 : Governing;
      NewLine =
          Ends || (!Parens && llvm::StringRef(T.Text).starts_with("_Pragma("));
    }
  }
};

} // namespace

std::string laidOut(const TextTokens &Tokens) { return Layout().run(Tokens); }

} // namespace kpipe
