// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See kpipe/TextMarks.h.
#include "kpipe/TextMarks.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace kpipe {

/// Braces behind a mark get lines of their own, less indented than the branch
/// that they close.
static std::string withBraceLines(std::string Text) {
  for (size_t At; (At = Text.find(CloseMark)) != std::string::npos;) {
    llvm::StringRef All = Text;
    const size_t End = All.find(CloseMarkEnd, At);
    unsigned Less = 0;
    All.slice(At + CloseMark.size(), End).getAsInteger(10, Less);
    llvm::StringRef Line = All.take_front(At);
    Line = Line.drop_front(Line.rfind('\n') + 1);
    const llvm::StringRef Own = Line.take_while(llvm::isSpace);
    const std::string Indentation =
        Own.drop_back(std::min<size_t>(Less, Own.size())).str();
    // Where its text was moved the brace may have a line already.
    const size_t Behind = End + CloseMarkEnd.size();
    const bool Alone = Own.size() == Line.size(),
               HasLine = All.substr(Behind).ltrim(' ').starts_with("\n");
    const size_t Begin =
        Alone ? At - Own.size() : All.take_front(At).rtrim(' ').size();
    if (HasLine)
      Text.erase(Begin, Behind + (Alone ? All.substr(Behind).find('\n') + 1 : 0) -
                            Begin);
    else
      Text.replace(Begin, Behind - Begin, (Alone ? "" : "\n") + Indentation);
  }
  return Text;
}

/// Lines end where a mark says so; the next one is indented as the line is that
/// has the mark, and so many characters more.
static std::string withMoreLines(llvm::StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    const size_t Length = Text.find('\n');
    llvm::StringRef Line = Text.take_front(Length);
    const llvm::StringRef Own = Line.take_while(llvm::isSpace);
    for (size_t Mark; (Mark = Line.find(LineMark)) != Line.npos;) {
      const size_t End = Line.find(CloseMarkEnd, Mark);
      int More = 0;
      Line.slice(Mark + LineMark.size(), End).getAsInteger(10, More);
      const llvm::StringRef Before = Line.take_front(Mark),
                            Behind = Line.drop_front(End + CloseMarkEnd.size());
      // Where its text was laid out anew the line may end here already.
      if (Before.trim().empty() || Behind.trim().empty()) {
        Out += Behind.trim().empty() ? Before.rtrim(" \t") : Before;
        Line = Behind.ltrim(" \t");
        continue;
      }
      Out += Before.rtrim(" \t");
      Out += "\n";
      Out += Own.drop_back(std::min<size_t>(More < 0 ? -More : 0, Own.size()));
      Out.append(std::max(More, 0), ' ');
      Line = Behind.ltrim(" \t");
    }
    Out += Line;
    Text = Text.drop_front(std::min(Length, Text.size()));
    if (Text.consume_front("\n"))
      Out += "\n";
  }
  return Out;
}

std::optional<int> markedDepth(llvm::StringRef Text) {
  const size_t At = Text.rfind(LineMark);
  int More = 0;
  if (At == Text.npos || !Text.consume_back(CloseMarkEnd) ||
      Text.drop_front(At + LineMark.size()).getAsInteger(10, More))
    return std::nullopt;
  return More;
}

std::string withoutMarks(std::string Text) {
  Text = withMoreLines(withBraceLines(std::move(Text)));
  if (!llvm::StringRef(Text).contains(GoneMark))
    return Text;
  std::string Out;
  llvm::StringRef Rest = Text;
  bool Gone = false; // the line before
  while (!Rest.empty()) {
    size_t End = Rest.find('\n');
    llvm::StringRef Line = Rest.substr(0, End == Rest.npos ? End : End + 1);
    Rest = Rest.drop_front(Line.size());
    // What stood behind a line that went need not be apart from what is above.
    const llvm::StringRef Above = llvm::StringRef(Out).rtrim(" \t\r\n");
    if (Gone && Line.trim().empty() &&
        (Above.ends_with("{") || Above.size() + 1 < Out.size()))
      continue;
    Gone = false;
    std::string Left;
    llvm::StringRef Part = Line;
    for (size_t At; (At = Part.find(GoneMark)) != Part.npos;) {
      Left += Part.take_front(At).rtrim(" \t");
      Part = Part.drop_front(At + GoneMark.size());
    }
    bool Marked = Part.size() != Line.size();
    Left += Part;
    Gone = Marked && llvm::StringRef(Left).trim().empty();
    if (!Gone)
      Out += Left;
  }
  return Out;
}

} // namespace kpipe
