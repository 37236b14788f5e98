// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout is that of Clang's own diagnostics, so that editors and scripts
// that read those read these.
#include "DiagnosticPrinter.h"
#include "Cures.h"
#include "kpipe/Reporting.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace kpipe {

using Colors = llvm::raw_ostream::Colors;

/// A line that no terminal shows as one tells nobody where to look.
static constexpr size_t LongestShown = 1000;

DiagnosticPrinter::~DiagnosticPrinter() {
  if (!Text.empty())
    To << Text;
}

void DiagnosticPrinter::setText(llvm::StringRef File, llvm::StringRef Text) {
  setSource(Sources[File], Text.str());
}

void DiagnosticPrinter::setSource(Source &S, std::string Text) {
  S.Text = std::move(Text);
  S.Lines = {0};
  for (size_t I = 0; (I = S.Text.find('\n', I)) != std::string::npos;)
    S.Lines.push_back(++I);
}

void DiagnosticPrinter::print(const Diagnostic &D) {
  Colors Color = D.Level == Severity::Remark    ? Colors::BLUE
                 : D.Level == Severity::Warning ? Colors::MAGENTA
                                                : Colors::RED;
  printOne(D.Where, kpipe::describe(D.Level), Color, D.What.str(),
           D.Rule ? printedId(*D.Rule) : "");
  for (const Note &N : D.Notes) {
    printOne(N.Where, "note", Colors::BLACK, N.What.str(), "");
    for (const Fix &F : N.Fixes)
      printFix(F);
  }
}

void DiagnosticPrinter::printOne(const Place &Where, llvm::StringRef Severity,
                                 Colors Color, llvm::StringRef Message,
                                 llvm::StringRef Id) {
  if (Colored)
    OS.changeColor(Colors::SAVEDCOLOR, /*Bold=*/true);
  if (!Where.File.empty())
    OS << Where.File << ":";
  if (Where.Line) {
    OS << Where.Line << ":";
    if (Where.Column)
      OS << Where.Column << ":";
  }
  if (!Where.File.empty())
    OS << " ";
  if (Colored)
    OS.changeColor(Color, /*Bold=*/true);
  OS << Severity << ": ";
  if (Colored) {
    OS.resetColor();
    OS.changeColor(Colors::SAVEDCOLOR, /*Bold=*/Severity != "note");
  }
  OS << Message;
  if (!Id.empty())
    OS << " [" << Id << "]";
  if (Colored)
    OS.resetColor();
  OS << "\n";
  printSourceLine(Where);
}

const DiagnosticPrinter::Source &
DiagnosticPrinter::sourceOf(llvm::StringRef File) {
  auto [Entry, IsNew] = Sources.try_emplace(File);
  if (IsNew)
    if (auto Buffer = llvm::MemoryBuffer::getFile(File))
      setSource(Entry->second, (*Buffer)->getBuffer().str());
  return Entry->second;
}

void DiagnosticPrinter::printFix(const Fix &F) {
  std::map<std::pair<std::string, unsigned>, std::string> Lines;
  for (const Insertion &I : F.Edits) {
    const Source &S = sourceOf(I.Before.File);
    if (I.Before.Line >= S.Lines.size())
      return;
    auto Line = std::make_pair(I.Before.File, I.Before.Line);
    size_t Begin = S.Lines[I.Before.Line - 1];
    Lines[Line] = S.Text.substr(Begin, S.Lines[I.Before.Line] - Begin);
  }
  for (auto &[Where, Line] : Lines) {
    Fix InLine;
    for (const Insertion &I : F.Edits)
      if (I.Before.File == Where.first && I.Before.Line == Where.second) {
        InLine.Edits.push_back(I);
        InLine.Edits.back().Before.Line = 1;
      }
    std::string Changed = withEdits(Line, editsIn(Where.first, Line, InLine));
    llvm::StringRef Shown = llvm::StringRef(Changed).split('\n').first.rtrim('\r');
    if (Shown.size() > LongestShown)
      return;
    if (Colored)
      OS.changeColor(Colors::GREEN);
    OS << llvm::format("%5u + ", Where.second) << Shown << "\n";
    if (Colored)
      OS.resetColor();
  }
}

void DiagnosticPrinter::printSourceLine(const Place &Where) {
  if (Where.Line == 0 || Where.Column == 0)
    return;
  const Source &S = sourceOf(Where.File);
  if (Where.Line > S.Lines.size())
    return;
  llvm::StringRef Rest = llvm::StringRef(S.Text).substr(S.Lines[Where.Line - 1]);
  llvm::StringRef Line =
      Rest.take_until([](char C) { return C == '\n' || C == '\r'; });
  if (Where.Column > Line.size() + 1 || Line.size() > LongestShown)
    return;
  OS << llvm::format("%5u | ", Where.Line) << Line << "\n      | ";
  // A tab stays a tab, so that the caret stands where the terminal puts it.
  for (char C : Line.take_front(Where.Column - 1))
    if ((C & 0xC0) != 0x80) // UTF-8 continuation bytes take no column
      OS << (C == '\t' ? '\t' : ' ');
  if (Colored)
    OS.changeColor(Colors::GREEN, /*Bold=*/true);
  OS << "^";
  if (Colored)
    OS.resetColor();
  OS << "\n";
}

} // namespace kpipe
