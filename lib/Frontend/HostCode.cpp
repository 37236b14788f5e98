// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a file into what stands side by side in its namespaces, and asks of each
// piece whether it is a function without any word of the device's.
#include "HostCode.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace clang;

namespace kpipe {
namespace {

/// A declaration, from its first token to its last.
struct Piece {
  unsigned Begin = 0, End = 0;
  bool HostOnly = false;
};

class Pieces {
public:
  Pieces(FileID File, const Preprocessor &PP)
      : PP(PP), Text(PP.getSourceManager().getBufferData(File)) {
    Lexer Raw(PP.getSourceManager().getLocForStartOfFile(File),
              PP.getLangOpts(), Text.begin(), Text.begin(), Text.end());
    Token T;
    bool Directive = false;
    while (!Raw.LexFromRawLexer(T)) {
      unsigned End = Raw.getBufferLocation() - Text.begin();
      if (T.isAtStartOfLine())
        Directive = T.is(tok::hash);
      if (!Directive)
        read(T, End - T.getLength(), End);
    }
    finish(Text.size());
  }

  bool isHostOnly(unsigned Offset) const {
    for (const Piece &P : Found)
      if (P.Begin <= Offset && Offset < P.End)
        return P.HostOnly;
    return false;
  }

private:
  /// Words with which a piece is no host function, or one that kernels may
  /// call all the same.
  static bool mayConcernKernels(llvm::StringRef Word) {
    return llvm::StringSwitch<bool>(Word)
        .Cases({"__global__", "__device__", "__shared__", "__constant__",
                "__managed__"},
               true)
        .Cases({"constexpr", "consteval", "concept", "using", "typedef"}, true)
        .Default(false);
  }
  static bool declaresType(llvm::StringRef Word) {
    return Word == "struct" || Word == "class" || Word == "union" ||
           Word == "enum";
  }

  void read(const Token &T, unsigned Begin, unsigned End) {
    if (Empty && T.isOneOf(tok::r_brace, tok::semi))
      return; // the end of a namespace
    if (Empty) {
      Now = Piece{Begin, End, false};
      Empty = false;
      First = true;
    }
    if (T.is(tok::raw_identifier)) {
      llvm::StringRef Word = T.getRawIdentifier();
      // A macro's text may be anything.
      const IdentifierInfo *Known = PP.getIdentifierInfo(Word);
      Concerns |= mayConcernKernels(Word) ||
                  (First && Known && Known->hadMacroDefinition());
      if (!Depth) {
        Namespace |= Word == "namespace" || (Word == "extern" && First);
        Concerns |= declaresType(Word) && !Angles;
        Template |= Word == "template" && First;
      }
    }
    First = false;
    if (!Depth && Template && T.is(tok::less))
      ++Angles;
    if (Angles && T.is(tok::greater) && --Angles == 0)
      Template = false;
    if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      if (!Depth && T.is(tok::l_paren))
        Function = true;
      if (!Depth && T.is(tok::l_brace) && Namespace && !Function) {
        forget(); // what stands in it counts by itself
        return;
      }
      ++Depth;
    } else if (T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
      if (Depth)
        --Depth;
      if (!Depth && T.is(tok::r_brace) && Function)
        finish(End);
    } else if (T.is(tok::semi) && !Depth) {
      finish(End);
    }
  }

  void finish(unsigned End) {
    if (!Empty) {
      Now.End = End;
      Now.HostOnly = Function && !Concerns;
      Found.push_back(Now);
    }
    forget();
  }

  void forget() {
    Empty = true;
    Function = Concerns = Namespace = Template = false;
    Depth = Angles = 0;
  }

  const Preprocessor &PP;
  llvm::StringRef Text;
  std::vector<Piece> Found;
  Piece Now;
  bool Empty = true, First = false, Function = false, Concerns = false,
       Namespace = false, Template = false;
  unsigned Depth = 0, Angles = 0;
};

} // namespace

void markHostErrors(ErrorCollector &Errors, Preprocessor &PP) {
  const SourceManager &SM = PP.getSourceManager();
  std::map<FileID, Pieces> Files;
  for (auto [Error, Where] : llvm::zip(Errors.Errors, Errors.At)) {
    if (Where.isInvalid() || SM.isInSystemHeader(Where))
      continue;
    auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Where));
    auto Known = Files.try_emplace(File, File, PP).first;
    // A header that is missing matters where something then is.
    Error.HostOnly = Error.MissingFile || Known->second.isHostOnly(Offset);
  }
}

} // namespace kpipe
