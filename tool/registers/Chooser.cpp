// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First the text as it is and as planned; where the plan loses blocks or spills
// the next forms of all such loops at once, text after text, until each loop
// has one that does not. Loops of one kernel share its registers and are judged
// together. Where nvcc refuses a text, the loops are tried one by one: all
// others stay as they are meanwhile.
#include "Chooser.h"
#include "Groups.h"
#include "Measurer.h"
#include "rewrite/PerArch.h"
#include "rewrite/SeveralArchs.h"
#include "support/Command.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace {

/// A text that was made, and what each group asked for in it.
struct Attempt {
  FileResult Result;
  /// Index into Group::Forms of each group that tries something in it.
  std::vector<std::optional<size_t>> Tries;

  const std::string &text() const { return Result.Files.front().New; }
};

class Chooser {
public:
  Chooser(const FileRequest &Request, UnitResult &Unit, Measurer &Nvcc,
          unsigned Jobs)
      : Request(Request), Unit(Unit), Nvcc(Nvcc), Jobs(Jobs) {}

  /// \param Planned of a text that was measured as it is.
  llvm::Expected<FileResult> run(FileResult Planned) {
    Groups = findGroups(Planned.Outcome, Request);
    std::string Original = Planned.MainText;
    std::string Text = Planned.Files.front().New;
    Before = &Nvcc.of(Original);
    if (!Before->Failure.empty())
      return estimated(
          std::move(Planned),
          {Before->Unknown ? msg::nvcc_not_asked : msg::nvcc_refuses_input,
           Before->Failure});
    if (llvm::Error Bad = Nvcc.measure({Text}))
      return std::move(Bad);
    const MeasuredText &After = Nvcc.of(Text);
    if (After.Unknown)
      return estimated(std::move(Planned),
                       {msg::nvcc_not_asked, After.Failure});
    if (After.isRefused()) {
      if (llvm::Error Bad = judgeApart())
        return std::move(Bad);
    } else {
      if (llvm::any_of(Groups, [&](const Group &G) {
            return G.asksForCode(Planned.Outcome);
          }))
        if (llvm::Error Bad = Nvcc.readCode({Original, Text}))
          return std::move(Bad);
      for (Group &G : Groups)
        G.judgePlan(Planned.Outcome, *Before, After);
    }
    if (llvm::any_of(Groups, [](const Group &G) { return !G.Settled; }))
      if (llvm::Error Bad = tryForms())
        return std::move(Bad);
    return finish(std::move(Planned));
  }

private:
  const FileRequest &Request;
  UnitResult &Unit;
  Measurer &Nvcc;
  const unsigned Jobs;
  std::vector<Group> Groups;
  const MeasuredText *Before = nullptr;
  /// nvcc refused the plan: a form is tried with no other loop pipelined.
  bool Apart = false;

  /// The request with a form for each loop of each group: FormOf says which.
  /// \param Only the index of the one group whose loops are pipelined.
  llvm::Expected<FileResult>
  made(llvm::function_ref<const LoopForm *(size_t)> FormOf,
       std::optional<size_t> Only = std::nullopt) {
    FileRequest Wanted = Request;
    std::vector<LoopChoice> Choices =
        Request.Transform.Choices.value_or(std::vector<LoopChoice>());
    bool Complete = Request.Transform.Choices.has_value();
    for (size_t I = 0; I != Groups.size(); ++I) {
      const Group &G = Groups[I];
      const LoopForm *Form = FormOf(I);
      if (G.Refused)
        llvm::append_range(Wanted.Transform.Vetoes, *G.Refused);
      else if (Only && *Only != I)
        llvm::append_range(Wanted.Transform.Vetoes,
                           G.vetoes({msg::nvcc_refuses_together, ""}));
      // A loop that is not named is told of.
      if (G.HasProfile || (!Form && Complete))
        continue;
      for (const LoopKey &Key : G.Keys) {
        LoopChoice C{Key, Request.Transform.Archs.front(), {}};
        C.Chosen.Form = Request.Transform.Form;
        if (Form)
          C.Chosen.Form = overlay(C.Chosen.Form, *Form);
        Choices.push_back(std::move(C));
      }
    }
    for (const LoopKey &Key : OtherLoops) {
      LoopChoice C{Key, Request.Transform.Archs.front(), {}};
      C.Chosen.Form = Request.Transform.Form;
      if (!Complete)
        Choices.push_back(std::move(C));
    }
    Wanted.Transform.Choices = std::move(Choices);
    return rewriteAgain(Wanted, Unit);
  }

  /// The next texts, as many as are compiled side by side.
  llvm::Expected<std::vector<Attempt>> nextAttempts() {
    std::vector<Attempt> All;
    while (All.size() < Jobs) {
      std::vector<std::optional<size_t>> Tries(Groups.size());
      std::optional<size_t> Last;
      for (size_t I = 0; I != Groups.size() && !(Apart && Last); ++I)
        if (Group &G = Groups[I]; !G.Settled && G.Next < G.Forms.size()) {
          Tries[I] = G.Next++;
          Last = I;
        }
      if (!Last)
        break;
      llvm::Expected<FileResult> Result = made(
          [&](size_t I) {
            return Tries[I] ? &Groups[I].Forms[*Tries[I]] : Groups[I].form();
          },
          Apart ? Last : std::nullopt);
      // A mistake of kpipe's in a form that was not planned is no reason to
      // stop.
      if (!Result) {
        llvm::consumeError(Result.takeError());
        continue;
      }
      // A form that was not made tells nothing of itself.
      bool AnyMade = false;
      for (size_t I = 0; I != Groups.size(); ++I) {
        if (Tries[I] && !Groups[I].isMadeIn(*Tries[I], Result->Outcome))
          Tries[I].reset();
        AnyMade |= Tries[I].has_value();
      }
      if (AnyMade)
        All.push_back({std::move(*Result), std::move(Tries)});
    }
    return std::move(All);
  }

  /// Which loops nvcc refuses of a text that it refuses.
  llvm::Error judgeApart() {
    Apart = true;
    std::vector<FileResult> Alone;
    std::vector<std::string> Texts;
    for (size_t I = 0; I != Groups.size(); ++I) {
      llvm::Expected<FileResult> Result =
          made([](size_t) { return nullptr; }, I);
      if (!Result)
        return Result.takeError();
      Texts.push_back(Result->Files.front().New);
      Alone.push_back(std::move(*Result));
    }
    if (llvm::Error Bad = Nvcc.measure(Texts))
      return Bad;
    for (auto [G, Result, Text] : llvm::zip_equal(Groups, Alone, Texts))
      if (const MeasuredText &After = Nvcc.of(Text); After.Failure.empty())
        G.judgePlan(Result.Outcome, *Before, After);
      else
        G.refusePlan(Result.Outcome, *Before, After.Failure);
    return llvm::Error::success();
  }

  llvm::Error tryForms() {
    for (;;) {
      llvm::Expected<std::vector<Attempt>> Attempts = nextAttempts();
      if (!Attempts)
        return Attempts.takeError();
      if (Attempts->empty())
        break;
      std::vector<std::string> Texts;
      for (const Attempt &A : *Attempts)
        Texts.push_back(A.text());
      if (llvm::Error Bad = Nvcc.measure(Texts))
        return Bad;
      if (llvm::any_of(Groups, [](const Group &G) { return G.comparesCode(); }))
        if (llvm::Error Bad = Nvcc.readCode(Texts))
          return Bad;
      for (const Attempt &A : *Attempts)
        for (size_t I = 0; I != Groups.size(); ++I)
          if (A.Tries[I] && !Groups[I].Settled)
            Groups[I].judge(*A.Tries[I], A.Result.Outcome, *Before,
                            Nvcc.of(A.text()));
    }
    for (Group &G : Groups)
      if (!G.Settled)
        G.giveUp();
    return llvm::Error::success();
  }

  /// The text of what was chosen, measured as a whole.
  llvm::Expected<FileResult> finish(FileResult Planned) {
    bool Changed = Apart || llvm::any_of(Groups, [](const Group &G) {
                     return G.form() || G.Refused;
                   });
    FileResult Final = std::move(Planned);
    if (Changed)
      if (llvm::Error Bad = makeChosen(Final))
        return std::move(Bad);
    // Each loop compiles by itself, but not all of them together.
    if (const MeasuredText &After = measured(Final); After.isRefused()) {
      for (Group &G : Groups)
        if (!G.Refused)
          G.Refused = G.vetoes({msg::nvcc_refuses_together, After.Failure});
      if (llvm::Error Bad = makeChosen(Final))
        return std::move(Bad);
    }
    const MeasuredText &After = measured(Final);
    if (!After.Failure.empty())
      return estimated(std::move(Final), {msg::nvcc_not_asked, After.Failure});
    for (const Group &G : Groups)
      G.report(Final.Outcome, *Before, After);
    return std::move(Final);
  }

  const MeasuredText &measured(const FileResult &Result) const {
    return Nvcc.of(Result.Files.front().New);
  }

  llvm::Error makeChosen(FileResult &Final) {
    llvm::Expected<FileResult> Result =
        made([&](size_t I) { return Groups[I].form(); });
    if (!Result)
      return Result.takeError();
    Final = std::move(*Result);
    return Nvcc.measure({Final.Files.front().New});
  }

  llvm::Expected<FileResult> estimated(FileResult Result, Message Why) {
    sayEstimated(Result.Outcome, Why);
    return std::move(Result);
  }

public:
  /// Loops that are not pipelined.
  std::vector<LoopKey> OtherLoops;
};

} // namespace

llvm::Expected<RegisterSearch>
RegisterSearch::make(llvm::ArrayRef<FileRequest> Files, unsigned Jobs) {
  RegisterSearch Search;
  Search.Jobs = std::max(1u, Jobs);
  llvm::Expected<double> Limit = nvccLimit();
  if (!Limit)
    return Limit.takeError();
  Search.Limit = *Limit;
  for (const FileRequest &File : Files) {
    if (File.Registers == RegisterSource::Estimate)
      continue;
    if (Search.Tools.Nvcc.empty())
      Search.Tools =
          findToolchain(File.Frontend.CudaPath, File.Frontend.Program);
    if (File.Registers == RegisterSource::Nvcc && Search.Tools.Nvcc.empty())
      return optionError("--registers=nvcc: no nvcc was found; put it on PATH, "
                         "name its toolkit with --cuda-path, or say "
                         "--registers=estimate");
  }
  return std::move(Search);
}

llvm::Expected<FileResult> RegisterSearch::rewrite(FileRequest Request,
                                                   bool Alone,
                                                   bool Each) const {
  if (Request.Transform.Archs.size() > 1) {
    bool Estimated = Request.Registers == RegisterSource::Estimate;
    llvm::Expected<FileResult> Result =
        Each ? rewriteForEach(std::move(Request), Alone)
             : rewriteForAll(std::move(Request), Alone);
    if (Result && !Estimated)
      sayEstimated(Result->Outcome, {msg::several_archs_estimated});
    return Result;
  }
  Request.Frontend.WillCheck = Alone;
  llvm::Expected<UnitResult> Unit = processUnit(Request, 0);
  if (!Unit)
    return Unit.takeError();
  return result(Request, *Unit);
}

static std::vector<std::vector<std::string>>
waysToCompile(const FileRequest &Request, const FileResult &Planned) {
  std::vector<std::string> Extra{""};
  llvm::append_range(Extra, Request.Frontend.ExtraArgs);
  std::vector<std::string> Own = Request.Frontend.Flags;
  llvm::append_range(Own, forNvcc(Extra));
  std::vector<std::string> Clangs =
      forNvcc(Planned.Arguments, Planned.Directory);
  llvm::append_range(Clangs, Planned.CodeFlags);
  // Flags of a compile database are read by kpipe's front end.
  if (!Request.Frontend.BuildDir.empty() || Own == Clangs)
    return {Clangs};
  return {Own, Clangs};
}

/// Is it worth asking nvcc? Of a loop that is refused for its blocks on an SM,
/// these are estimated.
static bool dependsOnRegisters(const LoopOutcome &Loop) {
  return Loop.Verdict == LoopVerdict::Pipelined ||
         (Loop.Verdict == LoopVerdict::Refused &&
          llvm::all_of(Loop.Diagnostics, [](const Diagnostic &D) {
            return D.Rule == RuleId::Budget;
          }));
}

/// nvcc goes by the ending of a name.
static std::string nameForNvcc(llvm::StringRef File) {
  return File == StandardInput ? "stdin.cu" : File.str();
}

llvm::Expected<FileResult> RegisterSearch::result(const FileRequest &Request,
                                                  UnitResult &Unit) const {
  llvm::Expected<FileResult> Planned = checkedResult(Request, Unit);
  if (!Planned || Request.Registers == RegisterSource::Estimate ||
      llvm::none_of(Planned->Outcome.Loops, dependsOnRegisters))
    return Planned;
  if (Tools.Nvcc.empty()) {
    sayEstimated(Planned->Outcome, {msg::no_nvcc_found});
    return Planned;
  }
  if (llvm::any_of(Planned->Files, [](const RewrittenFile &F) {
        return F.IsHeader && F.New != F.Old;
      })) {
    sayEstimated(Planned->Outcome, {msg::headers_are_rewritten});
    return Planned;
  }
  Measurer Nvcc(Tools,
                {nameForNvcc(Request.File), Planned->Arch, waysToCompile(Request, *Planned),
                 Planned->Dependencies},
                Jobs, Limit);
  FileRequest Known = Request;
  if (llvm::Error Bad = Nvcc.measureOriginal(Planned->MainText))
    return std::move(Bad);
  for (const auto &Kernel : Nvcc.of(Planned->MainText).Use)
    if (!Kernel.first().empty()) // of functions that are called
      Known.Transform.Registers[Kernel.first()] = Kernel.second.Registers;
  if (!Known.Transform.Registers.empty()) {
    Planned = rewriteAgain(Known, Unit);
    if (!Planned || !anyPipelined(Planned->Outcome))
      return Planned;
  }
  Chooser Choice(Known, Unit, Nvcc, Jobs);
  for (const LoopOutcome &Loop : Planned->Outcome.Loops)
    if (Loop.Verdict != LoopVerdict::Pipelined)
      Choice.OtherLoops.push_back(Loop.Key);
  llvm::Expected<FileResult> Result = Choice.run(std::move(*Planned));
  if (Result && Request.Verbose)
    llvm::errs() << "kpipe: '" << Request.File << "': " << Nvcc.texts()
                 << " texts for registers, " << Nvcc.Compiled << " compiled in "
                 << llvm::format("%.1f", Nvcc.Seconds) << " s\n";
  return Result;
}

} // namespace kpipe
