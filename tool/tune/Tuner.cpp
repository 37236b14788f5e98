// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop after loop, every form of it is built and run, and the fastest is kept.
// What was measured is written after each loop, so that little is lost when a
// later one fails.
#include "Tuner.h"
#include "Candidates.h"
#include "Contest.h"
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
static void printWarnings(const UnitResult &Unit, bool Colored) {
  DiagnosticPrinter Printer(llvm::errs(), Colored);
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

  llvm::Expected<bool> run();

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
  llvm::Error decide(const TunableLoop &Loop, LoopChoice &Mine,
                     TunedLoop &Tuned);
  void keep(TunedLoop Tuned, const LoopChoice &Mine);
  llvm::Error writeBest();
  llvm::raw_ostream &say(const TunableLoop &Loop) const;
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
  if (Form.Made.Schedule == ScheduleKind::Specialized)
    C.Stem += "-specialized";
  if (Form.Made.Producer == ProducerKind::Group)
    C.Stem += "-warpgroup";
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
  Progress Shown(Forms.size());
  for (const FormResult &F : Forms) {
    if (InterruptScope::interrupted())
      return optionError("interrupted");
    Shown.finished("made " + nameOf(F));
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

/// Of all rounds.
static double medianOf(const Contender &C) {
  std::vector<double> Times;
  for (std::optional<double> Time : C.Runs.Rounds)
    Times.push_back(Time.value_or(0));
  return summarize(Times).Median;
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
  std::vector<Contender *> Parts{&All[0], &All[1], &All[2]};
  Measuring.begin(All.front());
  if (llvm::Error Bad = Measuring.tryOut(Parts, Shown))
    return std::move(Bad);
  if (llvm::Error Bad = Measuring.measure(Parts, Shown))
    return std::move(Bad);
  for (const Contender &C : All) {
    if (!C.Failure.empty())
      return optionError(C.Name + ": " + C.Failure);
    if (InterruptScope::interrupted())
      return optionError("interrupted before they were measured");
  }
  return LimitTimes{medianOf(All[0]), medianOf(All[1]), medianOf(All[2])};
}

llvm::raw_ostream &Tuner::say(const TunableLoop &Loop) const {
  return llvm::errs() << Asked.File.File << ":" << Loop.Where.Line << ": "
                      << Loop.Key.Function << ", loop " << Loop.Key.Ordinal
                      << ": ";
}

/// Writes down what is known of a loop whose choice is not: the choice of an
/// earlier session stays, else it is what kpipe plans.
void Tuner::keep(TunedLoop Tuned, const LoopChoice &Mine) {
  Tuned.Choice = {Mine.Loop, Mine.Arch, {}};
  for (const LoopChoice &Earlier : Asked.Kept.choices())
    if (Earlier.Loop == Mine.Loop && Earlier.Arch == Mine.Arch)
      Tuned.Choice = Earlier;
  Tuned.Complete = false;
  Asked.Kept.put(Tuned);
  // What cannot be written now may be later; the end says so.
  llvm::consumeError(writeFile(Asked.ProfileFile, Asked.Kept.json()));
}

llvm::Error Tuner::tune(const TunableLoop &Loop, LoopChoice &Mine) {
  ChosenForm Before = Mine.Chosen;
  TunedLoop Tuned;
  Tuned.File = llvm::sys::path::filename(Asked.File.File).str();
  Tuned.Line = Loop.Where.Line;
  Tuned.Setup = Asked.Setup;
  Tuned.Choice = Mine;
  say(Loop) << 1 + Loop.Forms.size() << " forms\n";
  llvm::Expected<std::vector<Contender>> All =
      contendersFor(Loop, Mine, Tuned.Forms);
  Mine.Chosen = Before;
  if (!All && InterruptScope::interrupted()) {
    llvm::consumeError(All.takeError());
    say(Loop) << "interrupted before anything was measured\n";
    return llvm::Error::success();
  }
  if (!All)
    return All.takeError();
  Contest Trying(Measuring, Tuned, std::move(*All));
  if (Asked.Resume)
    say(Loop) << Trying.resume(Asked.Kept.earlierRuns(Mine.Loop, Mine.Arch))
              << "\n";
  Trying.Save = [&] { keep(Tuned, Mine); };
  if (llvm::Error Bad = Trying.run(Asked.Everything)) {
    if (!Tuned.Forms.front().Runs.Trials.empty())
      keep(Tuned, Mine);
    return Bad;
  }
  return decide(Loop, Mine, Tuned);
}

/// Chooses a form of a loop that was measured, tells it and writes it down.
llvm::Error Tuner::decide(const TunableLoop &Loop, LoopChoice &Mine,
                          TunedLoop &Tuned) {
  Tuned.Complete = !InterruptScope::interrupted();
  std::optional<size_t> Chosen = choose(Tuned.Forms);
  if (!Chosen || !Tuned.Forms.front().Times.Rounds) {
    say(Loop) << "interrupted before anything was measured\n";
    if (!Tuned.Forms.front().Runs.Trials.empty())
      keep(Tuned, Mine);
    return llvm::Error::success();
  }
  Mine.Chosen = Tuned.Forms[*Chosen].Asked;
  Tuned.Choice = Mine;
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

/// The source with the fastest forms, where one was asked for.
llvm::Error Tuner::writeBest() {
  if (Asked.BestFile.empty())
    return llvm::Error::success();
  if (InterruptScope::interrupted() &&
      llvm::all_of(Best,
                   [](const LoopChoice &C) { return C.Chosen.Original; })) {
    llvm::errs() << Asked.BestFile << ": not written: interrupted before "
                 << "anything faster than the original was found\n";
    return llvm::Error::success();
  }
  llvm::Expected<std::string> Text = textWith(/*Paste=*/false);
  if (!Text)
    return Text.takeError();
  return writeFile(Asked.BestFile, *Text);
}

llvm::Expected<bool> Tuner::run() {
  llvm::errs() << Asked.File.File << ": looking for forms on "
               << Asked.File.Transform.Archs.front() << "\n";
  Asked.File.Frontend.WillCheck = true;
  llvm::Expected<UnitResult> Parsed = processUnit(Asked.File, 0);
  if (!Parsed)
    return Parsed.takeError();
  // Until here Ctrl-C ends kpipe at once: there is nothing to keep.
  InterruptScope Interrupts;
  Unit = std::move(*Parsed);
  printWarnings(*Unit, Asked.File.Colored);
  std::vector<TunableLoop> Loops =
      findForms(*Unit, Asked.File, Asked.MostStages);
  for (const TunableLoop &Loop : Loops)
    Best.push_back(
        {Loop.Key, Asked.File.Transform.Archs.front(), ChosenForm::original()});
  if (Loops.empty() && !InterruptScope::interrupted())
    llvm::errs() << Asked.File.File
                 << ": no loop can be pipelined, so there is nothing to tune\n";
  // One loop after the other, those before it in their best form: what a loop
  // gains shows in the whole program's time, and forms add up, not multiply.
  for (auto [Loop, Mine] : llvm::zip(Loops, Best)) {
    if (InterruptScope::interrupted())
      break;
    if (llvm::Error Bad = tune(Loop, Mine))
      return std::move(Bad);
  }
  if (llvm::Error Bad = writeBest())
    return std::move(Bad);
  return InterruptScope::interrupted();
}

llvm::Expected<bool> tuneFile(TuneRequest Request) {
  return Tuner(std::move(Request)).run();
}

} // namespace kpipe
