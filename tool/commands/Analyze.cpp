// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe analyze`: what would be done and why, as a table or as dumps of the
// structs on the way. Changes nothing but the report files.
#include "registers/Chooser.h"
#include "rewrite/Cures.h"
#include "rewrite/DiagnosticPrinter.h"
#include "rewrite/HtmlOutput.h"
#include "rewrite/NothingFound.h"
#include "rewrite/Outputs.h"
#include "rewrite/Rewriter.h"
#include "rewrite/Session.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "support/Interrupt.h"
#include "support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace kpipe {

static llvm::cl::list<std::string>
    DumpOption("dump", llvm::cl::CommaSeparated,
               llvm::cl::value_desc("flags|tile-loops|boxes|legality|plan"),
               llvm::cl::desc("print structs on the way instead of the table, "
                              "on standard output"),
               llvm::cl::sub(AnalyzeCommand), llvm::cl::cat(KpipeCategory));

static llvm::Error checkDumps() {
  for (const std::string &Name : DumpOption)
    if (!llvm::is_contained({"flags", "tile-loops", "boxes", "legality", "plan"}, Name))
      return optionError("--dump=" + llvm::Twine(Name) +
                         ": want flags, tile-loops, boxes, legality or plan");
  return llvm::Error::success();
}

/// What Clang's driver was given.
static void dumpFlags(const ParsedUnit &Unit, std::string &Text) {
  if (!llvm::is_contained(DumpOption, "flags"))
    return;
  for (const std::string &Argument : Unit.arguments())
    Text += Argument + "\n";
}

static void dumpLoops(const UnitOutcome &Outcome, std::string &Text) {
  for (const LoopOutcome &Loop : Outcome.Loops) {
    if (llvm::is_contained(DumpOption, "tile-loops"))
      Text += Loop.DumpTileLoop;
    if (llvm::is_contained(DumpOption, "boxes"))
      Text += Loop.DumpBoxes;
    if (llvm::is_contained(DumpOption, "legality"))
      Text += Loop.DumpLegality;
    if (llvm::is_contained(DumpOption, "plan"))
      Text += Loop.DumpPlan;
  }
}

namespace {

/// What became of one file for one architecture after the other.
struct FileAnalysis {
  std::string MainFile, MainText, Dumps;
  std::vector<LoopOutcome> Loops;
  std::vector<Diagnostic> Others;
  std::vector<Place> Instantiated;
  /// What rewrite would write; only where a page shows it.
  PageSources Sources;
};

} // namespace

/// \param ForPage the rewritten files are wanted too.
static llvm::Expected<FileAnalysis>
analyzeFile(const FileRequest &Asked, const RegisterSearch &Registers,
            bool ForPage) {
  FileAnalysis A;
  for (unsigned Arch = 0; Arch < Asked.Transform.Archs.size(); ++Arch) {
    FileRequest Request = Asked;
    Request.Transform.Archs = {Asked.Transform.Archs[Arch]};
    Request.Transform.DumpBoxes = llvm::is_contained(DumpOption, "boxes");
    llvm::Expected<UnitResult> Unit = processUnit(Request, 0);
    if (!Unit)
      return Unit.takeError();
    dumpFlags(*Unit->Unit, A.Dumps);
    dumpLoops(Unit->Outcome, A.Dumps);
    if (Request.Registers != RegisterSource::Estimate) {
      llvm::Expected<FileResult> Result = Registers.result(Request, *Unit);
      if (!Result)
        return Result.takeError();
      Unit->Outcome = std::move(Result->Outcome);
      if (ForPage)
        A.Sources.add(Result->Files, Result->MainFile, Result->Arch);
    } else if (ForPage) {
      llvm::Expected<std::vector<RewrittenFile>> Files =
          rewrittenFiles(Request, *Unit);
      if (!Files)
        return Files.takeError();
      A.Sources.add(*Files, Unit->Unit->mainFile(),
                    Asked.Transform.Archs[Arch]);
    }
    A.Loops.insert(A.Loops.end(), Unit->Outcome.Loops.begin(),
                   Unit->Outcome.Loops.end());
    llvm::append_range(A.Instantiated, Unit->Outcome.Instantiated);
    // The front end says the same for every architecture.
    if (Arch == 0) {
      A.MainFile = Unit->Unit->mainFile().str();
      A.MainText = Unit->author().mainText().str();
      A.Others = Unit->others();
      if (auto Why = remarkOnNoLoop(Request, Unit->Outcome))
        A.Others.push_back(std::move(*Why));
    }
  }
  return std::move(A);
}

static std::optional<std::string> textOnDisk(llvm::StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  return Buffer ? std::optional((*Buffer)->getBuffer().str()) : std::nullopt;
}

static llvm::Error writeReports(const CommonRequest &Request,
                                const Findings &Found,
                                const PageSources &Sources) {
  FileWriter Writer;
  if (!Request.ReportFile.empty())
    if (llvm::Error Bad = Writer.stage(Request.ReportFile, Found.json()))
      return Bad;
  if (!Request.SarifFile.empty())
    if (llvm::Error Bad = Writer.stage(Request.SarifFile, Found.sarif()))
      return Bad;
  if (!Request.FixesFile.empty())
    if (llvm::Error Bad = Writer.stage(
            Request.FixesFile, curesAsYaml(Found.Diagnostics, textOnDisk)))
      return Bad;
  if (!Request.HtmlFile.empty())
    if (llvm::Error Bad = Writer.stage(
            Request.HtmlFile, htmlText(makePage(Request, Found, Sources))))
      return Bad;
  return Writer.commit();
}

/// Takes what was found in a file, and prints what belongs to no loop.
static void gather(FileAnalysis A, bool Colored, Findings &Found,
                   PageSources &Sources) {
  DiagnosticPrinter Printer(llvm::errs(), Colored);
  Printer.setText(A.MainFile, A.MainText);
  Sources.add(std::move(A.Sources));
  for (const LoopOutcome &Loop : A.Loops)
    Found.add(Loop);
  size_t Printed = Found.Others.size();
  for (const Diagnostic &D : A.Others)
    Found.add(D);
  for (; Printed != Found.Others.size(); ++Printed)
    if (!Found.Others[Printed].Quiet)
      Printer.print(Found.Others[Printed]);
}

static std::string tableOf(const Findings &Found, size_t Files,
                           unsigned Failed) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const bool IsSaid = llvm::any_of(Found.Others, [](const Diagnostic &D) {
    return D.Rule == RuleId::NothingPipelined;
  });
  printTable(OS, mergeReports(Found.Loops),
             IsSaid ? "no loop with a block barrier in what was asked for; the "
                      "remarks say where there are others"
                    : "no loop with a block barrier");
  if (Files > 1)
    OS << countsOf(Found, Files, Failed) << "\n";
  return Text;
}

int runAnalyze(CommonRequest Request) {
  if (llvm::Error Bad = checkDumps())
    return fail(std::move(Bad));
  std::vector<std::string> Names = Request.names();
  const NamedOutput Outputs[] = {{Request.ReportFile, "--report"},
                                 {Request.SarifFile, "--sarif"},
                                 {Request.FixesFile, "--export-fixes"},
                                 {Request.HtmlFile, "--html"}};
  for (const NamedOutput &Output : Outputs)
    if (llvm::Error Bad = refuseInputs(Names, Output.Path, Output.Option))
      return fail(std::move(Bad));
  if (llvm::Error Bad = refuseClashes(Outputs))
    return fail(std::move(Bad));
  if (!Request.FixesFile.empty() && llvm::is_contained(Names, StandardInput))
    return fail(optionError("--export-fixes needs files, not standard input"));

  llvm::Expected<RegisterSearch> Registers =
      RegisterSearch::make(Request.Files, Request.Compilations);
  if (!Registers)
    return fail(Registers.takeError());
  std::optional<InterruptScope> Interrupts;
  if (Registers->runsNvcc())
    Interrupts.emplace();
  std::vector<std::optional<llvm::Expected<FileAnalysis>>> Results(
      Names.size());
  bool ForPage = !Request.HtmlFile.empty();
  forEachFile(Names, Request.Jobs, [&](size_t I) {
    Results[I].emplace(analyzeFile(Request.Files[I], *Registers, ForPage));
  });
  Findings Found;
  PageSources Sources;
  std::string Dumps;
  unsigned Failed = 0;
  for (std::optional<llvm::Expected<FileAnalysis>> &Result : Results)
    if (*Result)
      Found.knowInstantiated((*Result)->Instantiated);
  for (std::optional<llvm::Expected<FileAnalysis>> &Result : Results) {
    if (*Result) {
      Dumps += (*Result)->Dumps;
      gather(std::move(**Result), Request.Colored, Found, Sources);
      continue;
    }
    ++Failed;
    if (Interrupts && InterruptScope::interrupted())
      llvm::consumeError(Result->takeError());
    else
      fail(Result->takeError());
  }
  if (Interrupts && InterruptScope::interrupted())
    return fail(optionError("interrupted; nothing was written"));
  if (Failed == Results.size())
    return 1;
  if (DumpOption.empty())
    Dumps = tableOf(Found, Names.size(), Failed);
  if (std::error_code Error = writeAll(STDOUT_FILENO, Dumps))
    return fail(writeError("standard output", Error));
  if (llvm::Error Bad = writeReports(Request, Found, Sources))
    return fail(std::move(Bad));
  // An internal error: the report to us is all there is.
  return Found.broken() || Failed ? 1 : 0;
}

} // namespace kpipe
