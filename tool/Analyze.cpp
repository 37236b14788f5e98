// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe analyze`: what would be done and why, as a table or as dumps of the
// structs on the way. Changes nothing but the report file.
#include "DiagnosticPrinter.h"
#include "FileWriter.h"
#include "Outputs.h"
#include "Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace kpipe {

static llvm::cl::list<std::string>
    DumpOption("dump", llvm::cl::CommaSeparated,
               llvm::cl::value_desc("flags|tile-loops|legality|plan"),
               llvm::cl::desc("print structs on the way instead of the table, "
                              "on standard output"),
               llvm::cl::sub(AnalyzeCommand), llvm::cl::cat(KpipeCategory));

static llvm::Error checkDumps() {
  for (const std::string &Name : DumpOption)
    if (!llvm::is_contained({"flags", "tile-loops", "legality", "plan"}, Name))
      return optionError("--dump=" + llvm::Twine(Name) +
                         ": want flags, tile-loops, legality or plan");
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
    if (llvm::is_contained(DumpOption, "legality"))
      Text += Loop.DumpLegality;
    if (llvm::is_contained(DumpOption, "plan"))
      Text += Loop.DumpPlan;
  }
}

int runAnalyze(CommonRequest Request) {
  if (llvm::Error Bad = checkDumps())
    return fail(std::move(Bad));
  if (llvm::Error Bad =
          refuseInputs(Request.Files, Request.ReportFile, "--report"))
    return fail(std::move(Bad));
  std::vector<LoopReport> Reports;
  std::vector<Diagnostic> Others;
  std::string Dumps;
  DiagnosticPrinter Printer(llvm::errs());
  bool Broken = false; // an internal error: the report to us is all there is
  for (const std::string &File : Request.Files)
    for (unsigned A = 0; A < Request.Transform.Archs.size(); ++A) {
      llvm::Expected<UnitResult> Result = processUnit(File, A, Request);
      if (!Result)
        return fail(Result.takeError());
      Printer.setText(Result->Unit->mainFile(), Result->Unit->mainText());
      dumpFlags(*Result->Unit, Dumps);
      dumpLoops(Result->Outcome, Dumps);
      for (const LoopOutcome &Loop : Result->Outcome.Loops)
        Reports.push_back(Loop.Report);
      // The front end says the same for every architecture.
      if (A == 0) {
        for (const Diagnostic &D : Result->Others) {
          Printer.print(D);
          Broken |= D.Level == Severity::Error;
        }
        Others.insert(Others.end(), Result->Others.begin(),
                      Result->Others.end());
      }
    }
  std::vector<LoopReport> Loops = mergeReports(Reports);
  if (DumpOption.empty())
    printTable(llvm::errs(), Loops);
  else if (std::error_code Failed = writeAll(STDOUT_FILENO, Dumps))
    return fail(writeError("standard output", Failed));
  if (!Request.ReportFile.empty()) {
    FileWriter Writer;
    llvm::Error Failed =
        Writer.stage(Request.ReportFile, jsonReport(Loops, Others));
    if (!Failed)
      Failed = Writer.commit();
    if (Failed)
      return fail(std::move(Failed));
  }
  return Broken ? 1 : 0;
}

} // namespace kpipe
