// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LineDepths.h. Clang's raw lexer knows strings, comments and directives.
#include "LineDepths.h"
#include "RawTokens.h"
#include "kpipe/LineDiff.h"
#include <algorithm>
#include <utility>

namespace kpipe {

LineDepths::Part LineDepths::part(unsigned Begin, unsigned End) const {
  bool Below = false;
  for (unsigned L = Begin; L != End; ++L)
    Below |= Least[L] < Brackets[Begin] ||
             Conditions[L + 1] < Conditions[Begin] ||
             (Branches[L] && Conditions[L] == Conditions[Begin]);
  if (Below)
    return LacksBegin;
  return Brackets[End] > Brackets[Begin] ||
                 Conditions[End] > Conditions[Begin]
             ? LacksEnd
             : Whole;
}

namespace {

class DepthReader {
public:
  explicit DepthReader(llvm::StringRef New)
      : Text(New.str()), Of(splitLines(Text)), Result(Of.size()) {}

  LineDepths read() {
    bool AfterHash = false;
    for (const RawToken &T : rawTokens(Text)) {
      enter(T.Offset);
      if (std::exchange(AfterHash,
                        T.Kind == clang::tok::hash && T.BeginsLine) &&
          !T.BeginsLine)
        directive(llvm::StringRef(Text).substr(T.Offset, T.Length));
      else
        bracket(T.Kind);
    }
    enter(Text.size());
    while (Line < Of.size())
      close();
    return std::move(Result);
  }

private:
  const std::string Text;
  const std::vector<llvm::StringRef> Of;
  LineDepths Result;
  unsigned Line = 0;
  size_t Ends = 0; ///< of the lines before
  int Brackets = 0, Conditions = 0;

  void close() {
    Ends += Of[Line].size();
    ++Line;
    Result.Brackets[Line] = Brackets;
    Result.Conditions[Line] = Conditions;
    if (Line < Of.size())
      Result.Least[Line] = Brackets;
  }
  void enter(size_t Offset) {
    while (Line < Of.size() && Ends + Of[Line].size() <= Offset)
      close();
  }
  void bracket(clang::tok::TokenKind Kind) {
    using namespace clang::tok;
    if (Kind == l_brace || Kind == l_paren || Kind == l_square)
      ++Brackets;
    else if (Kind == r_brace || Kind == r_paren || Kind == r_square)
      --Brackets;
    if (Line < Of.size())
      Result.Least[Line] = std::min(Result.Least[Line], Brackets);
  }
  void directive(llvm::StringRef Word) {
    if (Word.starts_with("if"))
      ++Conditions;
    else if (Word == "endif")
      --Conditions;
    else if (Word.starts_with("el") && Line < Of.size())
      Result.Branches[Line] = true;
  }
};

} // namespace

LineDepths depthsOf(llvm::StringRef Text) { return DepthReader(Text).read(); }

} // namespace kpipe
