// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aligned rows as tables, see SideBySide.h. A folded stretch has a table of its
// own, as `details` cannot stand among rows; fixed columns make them one.
#include "SideBySide.h"
#include "Highlight.h"
#include "Text.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe::html {

/// Unchanged lines that are shown around a change.
static constexpr unsigned Context = 4;
/// Fewer unchanged lines than this are not worth folding.
static constexpr unsigned LeastFolded = 4;

static const char *className(Ink I) {
  switch (I) {
  case Ink::Plain:
    return "";
  case Ink::Comment:
    return "c";
  case Ink::Keyword:
    return "k";
  case Ink::Cuda:
    return "u";
  case Ink::Literal:
    return "l";
  case Ink::Directive:
    return "p";
  }
  return "";
}

static std::string inked(llvm::StringRef Line, llvm::ArrayRef<Ink> Inks,
                         const LineParts &Marks) {
  std::string Out;
  auto Marked = [&](size_t I) {
    return llvm::any_of(Marks, [&](const std::pair<size_t, size_t> &Part) {
      return I >= Part.first && I < Part.second && I < Line.size();
    });
  };
  for (size_t At = 0; At < Line.size();) {
    size_t End = At + 1;
    while (End < Line.size() && Inks[End] == Inks[At] &&
           Marked(End) == Marked(At))
      ++End;
    if (Marked(At) && (At == 0 || !Marked(At - 1)))
      Out += "<mark>";
    std::string Part = escaped(Line.slice(At, End));
    if (Inks[At] == Ink::Plain)
      Out += Part;
    else
      Out += "<i class=\"" + std::string(className(Inks[At])) + "\">" + Part +
             "</i>";
    if (Marked(At) && !Marked(End))
      Out += "</mark>";
    At = End;
  }
  return Out;
}

std::string inkedLine(llvm::StringRef CleanLine, const LineParts &Mark) {
  return inked(CleanLine, inkOf(CleanLine), Mark);
}

namespace {

/// One of the two texts, clean, in lines and coloured.
struct Side {
  std::string Clean;
  std::vector<llvm::StringRef> Lines;
  std::vector<Ink> Inks;

  explicit Side(llvm::StringRef Bytes)
      : Clean(cleaned(Bytes)), Lines(splitLines(Clean)), Inks(inkOf(Clean)) {}

  llvm::StringRef line(unsigned I) const { return Lines[I].rtrim('\n'); }
  std::string inkedLine(unsigned I, const LineParts &Mark) const {
    return inked(line(I),
                 llvm::ArrayRef(Inks).slice(Lines[I].data() - Clean.data()),
                 Mark);
  }
};

class View {
public:
  View(llvm::raw_ostream &OS, llvm::StringRef Id, const HtmlSource &Source,
       const std::set<unsigned> &Noted)
      : OS(OS), Id(Id), Noted(Noted), Old(Source.Old), New(Source.New),
        Rows(align(Old.Lines, New.Lines)), Shown(Rows.size(), false) {}

  void write() {
    chooseShown();
    // Two columns with the same text would say less than one.
    bool Changed =
        llvm::any_of(Rows, [](const AlignedRow &R) { return !R.IsSame; });
    OS << "<div class=\"diff" << (Changed ? "" : " one")
       << "\">\n<div class=\"sides\" aria-hidden=\"true\"><span>"
       << (Changed ? "before" : "before and after")
       << "</span><span>after</span></div>\n";
    for (size_t I = 0; I < Rows.size();) {
      size_t End = I + 1;
      while (End < Rows.size() && Shown[End] == Shown[I])
        ++End;
      if (!Shown[I])
        OS << "<details><summary>" << End - I << " unchanged lines</summary>\n";
      table(I, End);
      if (!Shown[I])
        OS << "</details>\n";
      I = End;
    }
    OS << "</div>\n";
  }

private:
  llvm::raw_ostream &OS;
  llvm::StringRef Id;
  const std::set<unsigned> &Noted;
  Side Old, New;
  std::vector<AlignedRow> Rows;
  std::vector<bool> Shown;

  bool isNoted(const AlignedRow &R) const {
    return R.Old != AlignedRow::None && Noted.count(R.Old + 1);
  }

  void chooseShown() {
    for (size_t I = 0; I < Rows.size(); ++I)
      if (!Rows[I].IsSame || isNoted(Rows[I])) {
        size_t From = I < Context ? 0 : I - Context;
        size_t To = std::min(Rows.size(), I + Context + 1);
        std::fill(Shown.begin() + From, Shown.begin() + To, true);
      }
    for (size_t I = 0; I < Rows.size();) {
      size_t End = I;
      while (End < Rows.size() && !Shown[End])
        ++End;
      if (End - I < LeastFolded)
        std::fill(Shown.begin() + I, Shown.begin() + End, true);
      I = End + 1;
    }
  }

  void table(size_t Begin, size_t End) {
    OS << "<table><colgroup><col class=\"n\"><col><col class=\"n\"><col>"
          "</colgroup>\n<thead><tr><th>line</th><th>before</th>"
          "<th>line</th><th>after</th></tr></thead>\n<tbody>\n";
    for (size_t I = Begin; I < End; ++I)
      row(Rows[I]);
    OS << "</tbody></table>\n";
  }

  void row(const AlignedRow &R) {
    ChangedParts Changed;
    if (R.IsPair && !R.IsSame)
      Changed = changedParts(Old.line(R.Old), New.line(R.New));
    OS << (isNoted(R) ? "<tr class=\"noted\">" : "<tr>");
    cells(Old, R.Old, R.IsSame, Changed.Old, "del", Id);
    cells(New, R.New, R.IsSame, Changed.New, "ins", "");
    OS << "</tr>\n";
  }

  /// \param Tag of a line that the other text does not have.
  void cells(const Side &From, unsigned Line, bool IsSame,
             const LineParts &Mark, llvm::StringRef Tag,
             llvm::StringRef LineId) {
    if (Line == AlignedRow::None) {
      OS << "<td class=\"n none\"></td><td class=\"none\"></td>";
      return;
    }
    OS << "<td class=\"n\"";
    if (!LineId.empty())
      OS << " id=\"" << LineId << "-L" << Line + 1 << '"';
    OS << '>' << Line + 1 << "</td>";
    std::string Code = From.inkedLine(Line, Mark);
    if (IsSame)
      OS << "<td>" << Code << "</td>";
    else
      OS << "<td class=\"" << Tag << "\"><" << Tag << '>' << Code << "</" << Tag
         << "></td>";
  }
};

} // namespace

void writeSideBySide(llvm::raw_ostream &OS, llvm::StringRef Id,
                     const HtmlSource &Source,
                     const std::set<unsigned> &Noted) {
  View(OS, Id, Source, Noted).write();
}

} // namespace kpipe::html
