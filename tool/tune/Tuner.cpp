// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop after loop, every form of it is built and run, and the fastest is kept.
// What was measured is written after each loop, so that little is lost when a
// later one fails.
#include "Tuner.h"
#include "Candidates.h"
#include "Times.h"
#include "TuneTable.h"
#include "rewrite/DiagnosticPrinter.h"
#include "rewrite/Rewriter.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

/// Warnings say which loops cannot be tuned, and why; what rewrite would do is
/// not of interest.
static void printWarnings(const UnitResult &Unit) {
  DiagnosticPrinter Printer(llvm::errs());
  Printer.setText(Unit.Unit->mainFile().str(), Unit.author().mainText().str());
  Findings Found;
  for (const LoopOutcome &Loop : Unit.Outcome.Loops)
    Found.add(Loop);
  for (const Diagnostic &D : Unit.others())
    Found.add(D);
  for (const Diagnostic &D : Found.Diagnostics)
    if (D.Level != Severity::Remark && !D.Quiet)
      Printer.print(D);
}

namespace {

class Tuner {
public:
  explicit Tuner(TuneRequest Request)
      : Asked(std::move(Request)), Measuring(std::move(Asked.Rules)) {}

  llvm::Error run();

private:
  TuneRequest Asked;
  Benchmark Measuring;
  /// The best of each loop as far as is known: the original to begin with.
  std::vector<LoopChoice> Best;
  /// The file, parsed once for all its forms.
  std::optional<UnitResult> Unit;

  llvm::Expected<std::string> textWith(bool Paste);
  llvm::Expected<Contender> contender(const TunableLoop &Loop, LoopChoice &Mine,
                                      const FormResult &Form,
                                      const llvm::Twine &Number);
  llvm::Expected<std::vector<Contender>>
  contendersFor(const TunableLoop &Loop, LoopChoice &Mine,
                std::vector<FormResult> &Forms);
  llvm::Expected<LimitTimes> measureLimits(const TunableLoop &Loop,
                                           llvm::ArrayRef<FormResult> Forms,
                                           LoopChoice &Mine);
  llvm::Error tune(const TunableLoop &Loop, LoopChoice &Mine);
};

} // namespace

/// The source with the best of each loop.
/// \param Paste the runtime into it, as contenders need: their build commands
/// were written for the original and know no include folder of kpipe's.
llvm::Expected<std::string> Tuner::textWith(bool Paste) {
  FileRequest Wanted = Asked.File;
  Wanted.Transform.Choices = Best;
  if (Paste) {
    Wanted.Transform.InlineRuntime = true;
    Wanted.LineDirectives = false;
  }
  llvm::Expected<FileResult> Result = rewriteAgain(Wanted, *Unit);
  if (!Result)
    return Result.takeError();
  return Result->Files.front().New;
}

/// \param Number in the names of its files.
llvm::Expected<Contender> Tuner::contender(const TunableLoop &Loop,
                                           LoopChoice &Mine,
                                           const FormResult &Form,
                                           const llvm::Twine &Number) {
  Mine.Chosen = Form.Asked;
  llvm::Expected<std::string> Text = textWith(/*Paste=*/true);
  if (!Text)
    return Text.takeError();
  Contender C{nameOf(Form)};
  C.Stem = (llvm::sys::path::stem(Asked.File.File) + "-" +
            llvm::Twine(Loop.Where.Line) + "-" + Number + "-" + Form.Variant)
               .str();
  if (Form.Made.Stages)
    C.Stem += "-" + std::to_string(*Form.Made.Stages);
  if (Form.Made.Schedule == ScheduleKind::Guarded)
    C.Stem += "-guarded";
  C.Text = std::move(*Text);
  C.SameOutput = Form.Asked.Part == LoopPart::All;
  return C;
}

llvm::Expected<std::vector<Contender>>
Tuner::contendersFor(const TunableLoop &Loop, LoopChoice &Mine,
                     std::vector<FormResult> &Forms) {
  Forms.push_back({{ChosenForm::original(), "original", {}}, {}, {}});
  for (const MadeForm &F : Loop.Forms)
    Forms.push_back({F, {}, {}});
  std::vector<Contender> All;
  for (const FormResult &F : Forms) {
    llvm::Expected<Contender> C =
        contender(Loop, Mine, F, llvm::Twine(All.size()));
    if (!C && F.Asked.Original)
      return C.takeError();
    if (!C) { // a mistake of kpipe's is no reason to stop
      All.push_back({nameOf(F)});
      All.back().Failure = llvm::toString(C.takeError());
      continue;
    }
    All.push_back(std::move(*C));
  }
  return All;
}

/// Measures the chosen form once more, in turns with its parts. Where the
/// original was chosen its fastest rival stands for it: the original's loads
/// and compute cannot be told apart in the text.
/// \returns an error where a part cannot be measured; a program that checks its
/// own results does not like to be one.
llvm::Expected<LimitTimes>
Tuner::measureLimits(const TunableLoop &Loop, llvm::ArrayRef<FormResult> Forms,
                     LoopChoice &Mine) {
  FormResult Whole = *llvm::find_if(
      Forms, [&](const FormResult &F) { return F.Asked == Mine.Chosen; });
  if (Whole.Asked.Original) {
    std::optional<size_t> Rival = choose(Forms.drop_front());
    if (!Rival)
      return optionError("no form of it can be measured");
    Whole = Forms[1 + *Rival];
  }
  ChosenForm Chosen = Mine.Chosen;
  std::vector<Contender> All;
  for (auto [Part, Name] : {std::pair(LoopPart::All, "whole"),
                            std::pair(LoopPart::Loads, "loads-only"),
                            std::pair(LoopPart::Compute, "compute-only")}) {
    FormResult F = Whole;
    F.Asked.Part = Part;
    llvm::Expected<Contender> C = contender(Loop, Mine, F, Name);
    Mine.Chosen = Chosen;
    if (!C)
      return C.takeError();
    C->Name += std::string(" ") + Name;
    All.push_back(std::move(*C));
  }
  Progress Shown(Measuring.steps(All.size()));
  if (llvm::Error Bad = Measuring.run(All, Shown))
    return std::move(Bad);
  for (const Contender &C : All) {
    if (!C.Failure.empty())
      return optionError(C.Name + ": " + C.Failure);
    if (C.Times.empty())
      return optionError("interrupted before they were measured");
  }
  return LimitTimes{summarize(All[0].Times).Median,
                    summarize(All[1].Times).Median,
                    summarize(All[2].Times).Median};
}

llvm::Error Tuner::tune(const TunableLoop &Loop, LoopChoice &Mine) {
  ChosenForm Before = Mine.Chosen;
  TunedLoop Tuned;
  llvm::Expected<std::vector<Contender>> All =
      contendersFor(Loop, Mine, Tuned.Forms);
  Mine.Chosen = Before;
  if (!All)
    return All.takeError();
  {
    Progress Shown(Measuring.steps(All->size()));
    if (llvm::Error Bad = Measuring.run(*All, Shown))
      return Bad;
  }
  Tuned.Complete = !InterruptScope::interrupted();
  for (auto [Form, C] : llvm::zip(Tuned.Forms, *All)) {
    Form.Times = summarize(C.Times);
    Form.Failure = C.Failure;
  }
  std::optional<size_t> Chosen = choose(Tuned.Forms);
  if (!Chosen || !Tuned.Forms.front().Times.Rounds) {
    llvm::errs() << Asked.File.File << ":" << Loop.Where.Line << ": "
                 << Loop.Key.Function << ", loop " << Loop.Key.Ordinal
                 << ": interrupted before anything was measured\n";
    return llvm::Error::success();
  }
  Mine.Chosen = Tuned.Forms[*Chosen].Asked;
  Tuned.Choice = Mine;
  Tuned.File = llvm::sys::path::filename(Asked.File.File).str();
  Tuned.Line = Loop.Where.Line;
  if (Asked.Limits && Tuned.Complete) {
    llvm::Expected<LimitTimes> Limits = measureLimits(Loop, Tuned.Forms, Mine);
    if (Limits)
      Tuned.Limits = *Limits;
    else
      llvm::errs() << Asked.File.File << ":" << Loop.Where.Line
                   << ": no limits: " << llvm::toString(Limits.takeError())
                   << "\n";
  }
  printTuned(llvm::errs(), Tuned, Asked.File.File, Asked.Unit);
  Asked.Kept.put(Tuned);
  return writeFile(Asked.ProfileFile, Asked.Kept.json());
}

llvm::Error Tuner::run() {
  Asked.File.Frontend.WillCheck = true;
  llvm::Expected<UnitResult> Parsed = processUnit(Asked.File, 0);
  if (!Parsed)
    return Parsed.takeError();
  Unit = std::move(*Parsed);
  printWarnings(*Unit);
  std::vector<TunableLoop> Loops =
      findForms(*Unit, Asked.File, Asked.MostStages);
  for (const TunableLoop &Loop : Loops)
    Best.push_back(
        {Loop.Key, Asked.File.Transform.Archs.front(), ChosenForm::original()});
  if (Loops.empty())
    llvm::errs() << Asked.File.File
                 << ": no loop can be pipelined, so there is nothing to tune\n";
  // One loop after the other, those before it in their best form: what a loop
  // gains shows in the whole program's time, and forms add up, not multiply.
  for (auto [Loop, Mine] : llvm::zip(Loops, Best)) {
    if (InterruptScope::interrupted())
      break;
    if (llvm::Error Bad = tune(Loop, Mine))
      return Bad;
  }
  if (Asked.BestFile.empty())
    return llvm::Error::success();
  llvm::Expected<std::string> Text = textWith(/*Paste=*/false);
  if (!Text)
    return Text.takeError();
  return writeFile(Asked.BestFile, *Text);
}

llvm::Error tuneFile(TuneRequest Request) {
  return Tuner(std::move(Request)).run();
}

} // namespace kpipe
