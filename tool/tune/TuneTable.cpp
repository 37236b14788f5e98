// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain ASCII in columns, one loop at a time.
#include "TuneTable.h"
#include "kpipe/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

namespace kpipe {

/// Part of the median that half of the original's runs may lie apart before the
/// table warns.
static constexpr double WideSpread = 0.05;

std::string nameOf(const FormResult &Form) {
  if (Form.Asked.Original)
    return "original";
  std::string Name =
      Form.Variant + (Form.Made.Stages == 1u
                          ? ", single buffer"
                          : ", " + wordFor(Form.Made.Stages) + " stages");
  forEachField([&](const FormField &Field, auto Member) {
    const auto &Value = Form.Made.*Member;
    if (!Value)
      return;
    llvm::StringRef Said = SpellingOf<decltype(Member)>::inTuneTable(*Value);
    if (Said.empty())
      Said = Field.InTuneTable;
    if (!Said.empty())
      Name += ", " + Said.str();
  });
  return Name;
}

static std::string number(double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.4g", Value);
  return Text;
}

void printTuned(llvm::raw_ostream &OS, const TunedLoop &Loop,
                llvm::StringRef Path, llvm::StringRef Unit) {
  const FormResult &Original = Loop.Forms.front();
  const FormResult *Chosen = &*llvm::find_if(
      Loop.Forms, [&](const auto &F) { return F.Asked == Loop.Choice.Chosen; });
  auto Speed = [&](const FormResult &F) {
    std::string Text;
    llvm::raw_string_ostream(Text)
        << llvm::format("%.3f", Original.Times.Median / F.Times.Median);
    return Text;
  };
  OS << Path << ":" << Loop.Line << ": " << Loop.Choice.Loop.Function
     << ", loop " << Loop.Choice.Loop.Ordinal << ", " << Loop.Choice.Arch
     << ": " << nameOf(*Chosen) << ", " << Speed(*Chosen)
     << " times as fast as the original\n";
  size_t Width = 4;
  for (const FormResult &F : Loop.Forms)
    Width = std::max(Width, nameOf(F).size());
  std::string Head = "median";
  if (!Unit.empty())
    Head += " " + Unit.str();
  OS << "     " << llvm::left_justify("form", Width) << "  "
     << llvm::right_justify(Head, 10) << "  "
     << llvm::left_justify("half of the runs", 20) << "  speed-up\n";
  for (const FormResult &F : Loop.Forms) {
    OS << "  " << (&F == Chosen ? "*" : " ") << (F.Planned ? "+" : " ") << " "
       << llvm::left_justify(nameOf(F), Width) << "  ";
    if (!F.Failure.empty())
      OS << "discarded: " << F.Failure << "\n";
    else if (!F.Skipped.empty())
      OS << "skipped: " << F.Skipped << "\n";
    else if (!F.Times.Rounds)
      OS << "not measured\n";
    else
      OS << llvm::right_justify(number(F.Times.Median), 10) << "  "
         << llvm::left_justify(number(F.Times.LowerQuartile) + " to " +
                                   number(F.Times.UpperQuartile),
                               20)
         << "  " << llvm::right_justify(Speed(F), 8) << "\n";
  }
  OS << "  * chosen"
     << "  + what kpipe plans when nothing is asked\n";
  if (size_t Skipped = llvm::count_if(
          Loop.Forms, [](const auto &F) { return !F.Skipped.empty(); }))
    OS << "  " << Skipped << " of " << Loop.Forms.size()
       << " forms cannot win and were skipped; --all measures them\n";
  if (Loop.Limits)
    OS << "  loads only " << number(Loop.Limits->Loads) << ", compute only "
       << number(Loop.Limits->Compute) << ", both "
       << number(Loop.Limits->Achieved) << ": "
       << llvm::format("%.0f", 100 * Loop.Limits->efficiency())
       << " % of what overlap can give\n";
  const TimeSummary &T = Original.Times;
  if (T.UpperQuartile - T.LowerQuartile > WideSpread * T.Median)
    OS << "  The times of the original lie far apart: is the machine busy? "
          "More --rounds help.\n";
  if (!Loop.Complete)
    OS << "  Interrupted: not all rounds were run.\n";
}

} // namespace kpipe
