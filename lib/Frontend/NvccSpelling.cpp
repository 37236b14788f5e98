// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two halves: SpellingsOf finds the places in a file's text, by its tokens;
// TokenChanger meets these places again in the token stream, also in macros'
// bodies, and changes what is read there.
#include "NvccSpelling.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace clang;

namespace kpipe {
namespace {

/// What to do with the token at a place.
struct Change {
  enum Kind {
    OpensLaunch,  ///< `<<` is `<<<`
    ClosesLaunch, ///< `>>` is `>>>`
    Drop,         ///< the `<` or `>` behind it
    CommaBefore,  ///< an operand of asm follows another
    Text,         ///< a string with other text
  };
  bool is(Kind K) const { return Kinds & (1u << K); }
  void add(Kind K) { Kinds |= 1u << K; }

  unsigned Kinds = 0;
  std::string NewText;
};

/// By offset in a file.
using Changes = std::map<unsigned, Change>;

/// Is there something to look at at all? Most files have nothing.
bool isWorthReading(llvm::StringRef Text) {
  for (size_t At = Text.find("<<"); At != llvm::StringRef::npos;
       At = Text.find("<<", At + 2))
    if (Text.substr(At + 2).ltrim().starts_with("<") ||
        Text.substr(At + 2).starts_with("<"))
      return true;
  return Text.contains("asm");
}

/// A string literal of an asm statement's text in which a `%` that begins no
/// operand is doubled. nvcc takes a letter that no digit follows for a name of
/// PTX, such as `%laneid`, `%p` or `%rd1`.
std::string withEscapedPercents(llvm::StringRef Spelled) {
  std::string Out;
  for (size_t I = 0; I != Spelled.size(); ++I) {
    Out += Spelled[I];
    if (Spelled[I] != '%')
      continue;
    llvm::StringRef After = Spelled.substr(I + 1);
    if (After.starts_with("%")) {
      Out += '%';
      ++I;
    } else if (!After.empty() && llvm::isAlpha(After[0]) &&
               !(After.size() > 1 && llvm::isDigit(After[1]))) {
      Out += '%';
    }
  }
  return Out;
}

/// Finds the spellings in one file's tokens.
class SpellingsOf {
public:
  SpellingsOf(FileID File, const SourceManager &SM, const LangOptions &Options)
      : Text(SM.getBufferData(File)) {
    Lexer Raw(SM.getLocForStartOfFile(File), Options, Text.begin(),
              Text.begin(), Text.end());
    Token T;
    while (!Raw.LexFromRawLexer(T))
      Tokens.push_back(
          {T.getKind(),
           unsigned(Raw.getBufferLocation() - Text.begin()) - T.getLength(),
           T.getLength()});
    for (size_t I = 0; I < Tokens.size(); ++I) {
      if (Tokens[I].Kind == tok::raw_identifier && isAsm(textOf(I)))
        readAsm(I + 1);
      else if (Tokens[I].Kind == tok::lesslessless || isSplit(I, tok::lessless))
        readLaunch(I);
    }
  }

  Changes Found;

private:
  struct Place {
    tok::TokenKind Kind;
    unsigned Offset, Length;
  };

  llvm::StringRef textOf(size_t I) const {
    return Text.substr(Tokens[I].Offset, Tokens[I].Length);
  }
  static bool isAsm(llvm::StringRef Word) {
    return Word == "asm" || Word == "__asm__" || Word == "__asm";
  }
  bool is(size_t I, tok::TokenKind Kind) const {
    return I < Tokens.size() && Tokens[I].Kind == Kind;
  }
  /// Is this `<<`, and `<` the next one? Nothing else in C++ reads so.
  bool isSplit(size_t I, tok::TokenKind Two) const {
    return is(I, Two) &&
           is(I + 1, Two == tok::lessless ? tok::less : tok::greater);
  }
  static bool opens(tok::TokenKind Kind) {
    return Kind == tok::l_paren || Kind == tok::l_square ||
           Kind == tok::l_brace;
  }
  static bool closes(tok::TokenKind Kind) {
    return Kind == tok::r_paren || Kind == tok::r_square ||
           Kind == tok::r_brace;
  }

  /// \param I the `<<` or `<<<` that begins a launch's configuration.
  void readLaunch(size_t I) {
    if (isSplit(I, tok::lessless)) {
      Found[Tokens[I].Offset].add(Change::OpensLaunch);
      Found[Tokens[++I].Offset].add(Change::Drop);
    }
    unsigned Depth = 0;
    for (++I; I < Tokens.size(); ++I) {
      tok::TokenKind Kind = Tokens[I].Kind;
      if (opens(Kind))
        ++Depth;
      else if (closes(Kind) && Depth-- == 0)
        return;
      if (Depth)
        continue;
      if (Kind == tok::greatergreatergreater || Kind == tok::semi)
        return;
      if (isSplit(I, tok::greatergreater)) {
        Found[Tokens[I].Offset].add(Change::ClosesLaunch);
        Found[Tokens[I + 1].Offset].add(Change::Drop);
        return;
      }
    }
  }

  /// \param I what follows the word `asm`.
  void readAsm(size_t I) {
    while (is(I, tok::raw_identifier)) // volatile and the like
      ++I;
    if (!is(I, tok::l_paren))
      return;
    std::vector<size_t> Template;
    unsigned Depth = 0, Section = 0;
    for (; I < Tokens.size(); ++I) {
      tok::TokenKind Kind = Tokens[I].Kind;
      if (opens(Kind))
        ++Depth;
      else if (closes(Kind) && --Depth == 0)
        break;
      if (Depth != 1)
        continue;
      if (Kind == tok::colon)
        ++Section;
      else if (Kind == tok::coloncolon)
        Section += 2;
      else if (Section == 0 && tok::isStringLiteral(Kind))
        Template.push_back(I);
      else if (Kind == tok::r_paren && (Section == 1 || Section == 2) &&
               (is(I + 1, tok::string_literal) || is(I + 1, tok::l_square)))
        Found[Tokens[I + 1].Offset].add(Change::CommaBefore);
    }
    if (Section == 0) // without operands a % is one
      return;
    for (size_t String : Template)
      if (std::string New = withEscapedPercents(textOf(String));
          New != textOf(String)) {
        Change &C = Found[Tokens[String].Offset];
        C.add(Change::Text);
        C.NewText = std::move(New);
      }
  }

  llvm::StringRef Text;
  std::vector<Place> Tokens;
};

/// Reads each file of the user's when it is entered, and changes its tokens on
/// their way to the parser.
class TokenChanger : public PPCallbacks {
public:
  explicit TokenChanger(Preprocessor &PP) : PP(PP), SM(PP.getSourceManager()) {}

  void FileChanged(SourceLocation Where, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID) override {
    if (Reason != EnterFile || SrcMgr::isSystem(Kind))
      return;
    FileID File = SM.getFileID(Where);
    if (!SM.getFileEntryRefForID(File) || Found.count(File) ||
        !isWorthReading(SM.getBufferData(File)))
      return;
    Changes Of = SpellingsOf(File, SM, PP.getLangOpts()).Found;
    if (Of.empty())
      return;
    if (Found.empty())
      PP.setTokenWatcher([this](const Token &T) {
        // The parser's own token, which is no constant.
        changed(const_cast<Token &>(T));
      });
    Found.try_emplace(File, std::move(Of));
  }

private:
  const Change *changeAt(const Token &T) const {
    if (!T.isOneOf(tok::lessless, tok::less, tok::greatergreater, tok::greater,
                   tok::l_square) &&
        !tok::isStringLiteral(T.getKind()))
      return nullptr;
    auto [File, Offset] =
        SM.getDecomposedLoc(SM.getSpellingLoc(T.getLocation()));
    auto Of = Found.find(File);
    if (Of == Found.end())
      return nullptr;
    auto At = Of->second.find(Offset);
    return At == Of->second.end() ? nullptr : &At->second;
  }

  void changed(Token &T) {
    const Change *C = changeAt(T);
    if (!C)
      return;
    // Where the parser may come back, it will read the preprocessor's copy.
    bool Copied = PP.isBacktrackEnabled() && PP.IsPreviousCachedToken(T);
    auto Replace = [&](llvm::ArrayRef<Token> By) {
      if (Copied)
        PP.ReplacePreviousCachedToken(By);
    };
    if (C->is(Change::Drop)) {
      Replace({});
      PP.Lex(T);
      return;
    }
    if (C->is(Change::OpensLaunch))
      T.setKind(tok::lesslessless);
    if (C->is(Change::ClosesLaunch))
      T.setKind(tok::greatergreatergreater);
    if (C->is(Change::Text) && tok::isStringLiteral(T.getKind())) {
      T.setLiteralData(C->NewText.data());
      T.setLength(C->NewText.size());
    }
    if (!C->is(Change::CommaBefore)) {
      Replace(T);
      return;
    }
    auto Next = std::make_unique<Token[]>(1);
    Next[0] = T;
    Token Comma;
    Comma.startToken();
    Comma.setKind(tok::comma);
    Comma.setLocation(T.getLocation());
    T = Comma;
    Replace(T);
    PP.EnterTokenStream(std::move(Next), 1, /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/true);
  }

  Preprocessor &PP;
  const SourceManager &SM;
  llvm::DenseMap<FileID, Changes> Found;
};

} // namespace

void readAsNvcc(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<TokenChanger>(PP));
}

} // namespace kpipe
