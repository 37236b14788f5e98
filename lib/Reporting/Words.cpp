// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that table and JSON share, and text set within a width. See
// Words.h.
#include "Words.h"
#include "kpipe/Engine.h"
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
  return Ratio < 5 ? "under 5" : Ratio <= 20 ? "5 to 20" : "over 20";
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
