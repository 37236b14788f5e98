// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that table and JSON share, and text set within a width. See
// Words.h.
#include "Words.h"
#include "kpipe/Reporting.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

llvm::StringRef describe(LoopVerdict Verdict) {
  switch (Verdict) {
  case LoopVerdict::Pipelined:
    return "pipelined";
  case LoopVerdict::Refused:
    return "refused";
  case LoopVerdict::AlreadyPipelined:
    return "already pipelined";
  case LoopVerdict::Off:
    return "off";
  }
  llvm_unreachable("every verdict has a name");
}

llvm::StringRef describe(const LoopReport &Loop, LoopVerdict Verdict) {
  return Loop.LoadsNoTile && Verdict == LoopVerdict::Refused
             ? "no tile loop"
             : describe(Verdict);
}

llvm::StringRef describe(Route R) {
  return R == Route::AsyncCopy ? "cp.async" : "registers";
}

llvm::StringRef describe(RouteMix M) {
  switch (M) {
  case RouteMix::AsyncCopy:
    return describe(Route::AsyncCopy);
  case RouteMix::Registers:
    return describe(Route::Registers);
  case RouteMix::Both:
    return "mixed";
  }
  llvm_unreachable("every mix has a name");
}

llvm::StringRef describe(Severity Level) {
  switch (Level) {
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("every severity has a name");
}

std::string utf8(llvm::StringRef Bytes) {
  return llvm::json::isUTF8(Bytes) ? Bytes.str() : llvm::json::fixUTF8(Bytes);
}

llvm::StringRef ratioClass(double Ratio) {
  return streams(Ratio) ? "under 5" : computes(Ratio) ? "over 20" : "5 to 20";
}

std::string describe(const ConflictReport &C) {
  std::string Text =
      (C.LeastDegree < C.Degree ? std::to_string(C.LeastDegree) + "- to " : "") +
      std::to_string(C.Degree) + "-way bank conflict of the " +
                     (C.Write ? "writes" : "reads") + " in line " +
                     std::to_string(C.Where.Line);
  if (!C.Spacing.empty())
    Text += " (" + C.Spacing.str() + ")";
  if (!C.NotPadded.empty())
    return Text + "; not padded: " + C.NotPadded.str();
  Text += C.Padded ? "; each row has " : "; --pad would give each row ";
  Text += std::to_string(C.PadElements) +
          (C.PadElements == 1 ? " element" : " elements") + " more, " +
          std::to_string(C.PadBytes) + " bytes a stage, which leaves ";
  unsigned Left = std::max(C.ReadsPadded, C.WritesPadded);
  if (Left < 2)
    return Text + "no conflict";
  Text += "up to " + std::to_string(Left) + "-way conflicts";
  if (C.ReadsPadded < 2)
    return Text + " of writes alone";
  return Text + (C.WritesPadded < 2 ? " of reads alone" : "");
}

void printWrapped(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Column,
                  unsigned Indent, unsigned Width) {
  bool LineIsEmpty = true;
  while (!(Text = Text.ltrim()).empty()) {
    llvm::StringRef Word = Text.take_until([](char C) { return C == ' '; });
    Text = Text.drop_front(Word.size());
    if (!LineIsEmpty && Column + 1 + Word.size() > Width) {
      (OS << '\n').indent(Indent);
      Column = Indent;
      LineIsEmpty = true;
    }
    if (!LineIsEmpty) {
      OS << ' ';
      ++Column;
    }
    OS << Word;
    Column += Word.size();
    LineIsEmpty = false;
  }
  OS << '\n';
}

} // namespace kpipe
