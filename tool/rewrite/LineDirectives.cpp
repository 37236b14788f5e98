// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on lines. Clang's lexer tells where no directive may stand: inside
// comments and strings of several lines, behind a backslash, and between
// parentheses, which may be a macro's arguments.
#include "LineDirectives.h"
#include "RawTokens.h"
#include "kpipe/LineDiff.h"
#include "kpipe/LineEndings.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/SmallString.h"
#include <algorithm>
#include <vector>

namespace kpipe {

std::vector<bool> directivePlaces(llvm::StringRef Text) {
  const std::vector<llvm::StringRef> Lines = splitLines(Text);
  std::vector<bool> Free(Lines.size(), true);
  size_t Line = 0, Start = 0; // of the line that a token begins in
  unsigned Depth = 0;
  auto Enter = [&](size_t Offset, bool Inside) {
    while (Line + 1 < Lines.size() && Start + Lines[Line].size() <= Offset) {
      Start += Lines[Line++].size();
      if (Inside)
        Free[Line] = false;
    }
  };
  for (const RawToken &T : rawTokens(Text, /*Comments=*/true)) {
    Enter(T.Offset, Depth > 0);
    if (T.Kind == clang::tok::l_paren)
      ++Depth;
    else if (T.Kind == clang::tok::r_paren && Depth)
      --Depth;
    Enter(T.end() - 1, true);
  }
  for (size_t I = 1; I < Lines.size(); ++I)
    if (Lines[I - 1].rtrim("\r\n").ends_with("\\"))
      Free[I] = false;
  return Free;
}

namespace {

/// Conditions of the preprocessor: a `#line` in a branch that a compiler leaves
/// out does not count behind it.
class Conditions {
public:
  /// A line of the output. True if what the next one is taken for is not known.
  bool enter(llvm::StringRef Line) {
    llvm::StringRef Word = Line.ltrim();
    if (!Word.consume_front("#"))
      return false;
    Word = Word.ltrim();
    if (Word.starts_with("if")) {
      Renamed.push_back(false);
      return false;
    }
    if (Renamed.empty() || !(Word.starts_with("el") || Word.starts_with("endif")))
      return false;
    bool Any = Renamed.back();
    if (Word.starts_with("endif")) {
      Renamed.pop_back();
      if (Any && !Renamed.empty())
        Renamed.back() = true;
    }
    return Any;
  }
  void renamed() {
    if (!Renamed.empty())
      Renamed.back() = true;
  }

private:
  std::vector<bool> Renamed; ///< has a `#line` in it
};

/// Without blanks and without what kpipe adds to a mention of a buffer.
std::string essence(llvm::StringRef Line) {
  std::string Text;
  for (char C : Line)
    if (!clang::isWhitespace(C))
      Text += C;
  for (llvm::StringRef Added : {"[stage]", "[stage^1]"})
    for (size_t At; (At = Text.find(Added.str())) != std::string::npos;)
      Text.erase(At, Added.size());
  return Text;
}

/// The line of Old that a changed line resembles most, from those that were
/// replaced; ~0u if none does enough.
unsigned origin(llvm::StringRef Line, llvm::ArrayRef<std::string> Replaced,
                unsigned Next) {
  std::string Mine = essence(Line);
  if (Mine.size() < 3)
    return ~0u;
  unsigned Best = ~0u, Least = Mine.size() / 2;
  // What follows the last find comes first: at equal likeness it wins.
  for (unsigned N = 0; N < Replaced.size(); ++N) {
    unsigned I = (Next + N) % Replaced.size();
    if (Replaced[I].size() < 3)
      continue;
    unsigned Distance = llvm::StringRef(Mine).edit_distance(
        Replaced[I], /*AllowReplacements=*/true, Least);
    if (Distance < Least) {
      Best = I;
      Least = Distance;
    }
  }
  return Best;
}

} // namespace

std::string withLineDirectives(llvm::StringRef Path, llvm::StringRef Old,
                               llvm::StringRef New) {
  std::vector<llvm::StringRef> OldLines = splitLines(Old);
  std::vector<llvm::StringRef> NewLines = splitLines(New);
  // Line numbers count from 0 here. An added line may count as any of those
  // that were replaced.
  struct Origin {
    unsigned First, Last;
  };
  std::vector<Origin> Origins(NewLines.size());
  unsigned At = 0, From = 0;
  const std::vector<LineChange> Changes = diffLines(OldLines, NewLines);
  for (size_t N = 0; N != Changes.size(); ++N) {
    const LineChange &C = Changes[N];
    // What is only added may be other forms of what follows it.
    unsigned End = C.OldEnd;
    if (C.OldBegin == C.OldEnd)
      End = std::min<unsigned>(C.OldEnd + (C.NewEnd - C.NewBegin),
                               N + 1 == Changes.size()
                                   ? OldLines.size()
                                   : Changes[N + 1].OldBegin);
    for (; At < C.NewBegin; ++From)
      Origins[At++] = {From, From};
    std::vector<std::string> Replaced;
    for (unsigned I = C.OldBegin; I < End; ++I)
      Replaced.push_back(essence(OldLines[I]));
    unsigned Next = 0;
    for (; At < C.NewEnd; ++At) {
      unsigned Found = origin(NewLines[At], Replaced, Next);
      if (Found == ~0u) {
        Origins[At] = {C.OldBegin, std::max(End, C.OldBegin + 1) - 1};
        continue;
      }
      Origins[At] = {C.OldBegin + Found, C.OldBegin + Found};
      Next = Found + 1;
    }
    From = C.OldEnd;
  }
  for (; At < NewLines.size(); ++From)
    Origins[At++] = {From, From};

  std::string Quoted;
  for (char C : Path) {
    if (C == '"' || C == '\\')
      Quoted += '\\';
    Quoted += C;
  }
  std::vector<bool> Free = directivePlaces(New);
  const bool Crlf = endsLinesWithCrlf(Old);
  std::string Text;
  unsigned Expected = 0; // what a compiler takes the line for
  bool Named = false, Known = true;
  Conditions Open;
  for (size_t I = 0; I < NewLines.size(); ++I) {
    bool Follows = Known && Origins[I].First <= Expected &&
                   Expected <= Origins[I].Last;
    if ((!Follows || I == 0) && Free[I]) {
      Expected = Origins[I].First;
      Text += "#line " + std::to_string(Expected + 1);
      // The name is said once; it holds to the end of the file.
      if (!Named)
        Text += " \"" + Quoted + "\"";
      Text += Crlf ? "\r\n" : "\n";
      Named = Known = true;
      Open.renamed();
    }
    Text += NewLines[I];
    ++Expected;
    if (Open.enter(NewLines[I]))
      Known = false;
  }
  return Text;
}

} // namespace kpipe
