// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.
#include "Places.h"
#include "SideBySide.h"
#include "Text.h"
#include "kpipe/Engine.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe::html {

Places::Places(const HtmlReport &Report)
    : Report(Report), Lines(Report.Sources.size()),
      Noted(Report.Sources.size()) {
  for (const HtmlSource &S : Report.Sources)
    Texts.push_back(cleaned(S.Old));
  for (size_t I = 0; I < Texts.size(); ++I)
    Lines[I] = splitLines(Texts[I]);
  for (const LoopReport &Loop : Report.Loops) {
    note(Loop.Where);
    for (const ArchReport &A : Loop.Archs)
      for (const Diagnostic &D : A.Reasons)
        note(D);
  }
  for (const Diagnostic &D : Report.Others)
    note(D);
}

std::string Places::sourceId(size_t Index) {
  return "source-" + std::to_string(Index + 1);
}

std::optional<size_t> Places::sourceOf(const Place &Where) const {
  for (size_t I = 0; I < Report.Sources.size(); ++I) {
    const HtmlSource &S = Report.Sources[I];
    if (Where.File == S.Name || Where.File == S.Path)
      return Where.Line && Where.Line <= Lines[I].size() ? std::optional(I)
                                                         : std::nullopt;
  }
  return std::nullopt;
}

void Places::note(const Place &Where) {
  if (std::optional<size_t> Source = sourceOf(Where))
    Noted[*Source].insert(Where.Line);
}

void Places::note(const Diagnostic &D) {
  note(D.Where);
  for (const Note &N : D.Notes)
    note(N.Where);
}

std::string Places::link(const Place &Where) const {
  std::string Name = text(Where.File);
  if (Where.Line)
    Name += ":" + std::to_string(Where.Line);
  if (Where.Line && Where.Column)
    Name += ":" + std::to_string(Where.Column);
  std::string Code = "<code>" + Name + "</code>";
  std::optional<size_t> Source = sourceOf(Where);
  if (!Source)
    return Code;
  return "<a class=\"place\" href=\"#" + sourceId(*Source) + "-L" +
         std::to_string(Where.Line) + "\">" + Code + "</a>";
}

std::string Places::excerpt(const Place &Where) const {
  std::optional<size_t> Source = sourceOf(Where);
  if (!Source || !Where.Column)
    return "";
  llvm::StringRef Line = Lines[*Source][Where.Line - 1].rtrim('\n');
  // A line that nobody can survey tells nobody where to look.
  constexpr size_t LongestShown = 400;
  if (Line.size() > LongestShown)
    return "";
  // Columns count bytes; cleaning may have moved them, which costs a mark in
  // the wrong place, never a cut character.
  auto IsTail = [&](size_t I) {
    return I < Line.size() && (Line[I] & 0xC0) == 0x80;
  };
  size_t Begin = std::min<size_t>(Where.Column - 1, Line.size()), End = Begin;
  while (IsTail(Begin))
    --Begin;
  while (End < Line.size() && (llvm::isAlnum(Line[End]) || Line[End] == '_'))
    ++End;
  if (End == Begin)
    End = std::min(Begin + 1, Line.size());
  while (IsTail(End))
    ++End;
  size_t Indent = Line.size() - Line.ltrim().size();
  Indent = std::min(Indent, Begin);
  return "<pre class=\"excerpt\" tabindex=\"0\"><b class=\"n\">" +
         std::to_string(Where.Line) + "</b>" +
         inkedLine(Line.drop_front(Indent), {{Begin - Indent, End - Indent}}) +
         "</pre>\n";
}

} // namespace kpipe::html
