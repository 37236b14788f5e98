// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's entry: options and subcommands.
#include "kpipe/Engine.h"
#include "kpipe/Frontend.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::SubCommand Rewrite("rewrite", "pipeline tiled K-loops");
static cl::SubCommand Analyze("analyze", "say what would be done and why");
static cl::opt<std::string> File(cl::Positional, cl::Required, cl::sub(Rewrite),
                                 cl::sub(Analyze));
static cl::list<std::string> Flags(cl::ConsumeAfter, cl::sub(Rewrite),
                                   cl::sub(Analyze));
static cl::opt<std::string> Arch("arch", cl::Required, cl::sub(Rewrite),
                                 cl::sub(Analyze));

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "kpipe\n");
  kpipe::FrontendOptions Front;
  Front.Program = argv[0];
  Front.Flags.assign(Flags.begin(), Flags.end());
  auto Unit = kpipe::parseUnit(File, Arch, Front);
  if (!Unit) {
    errs() << "kpipe: error: " << toString(Unit.takeError()) << "\n";
    return 1;
  }
  for (const kpipe::ParseError &E : (*Unit)->errors())
    errs() << E.Where.File << ":" << E.Where.Line << ": " << E.Message << "\n";
  kpipe::TransformOptions Options;
  Options.Archs = {Arch};
  kpipe::UnitOutcome Outcome =
      kpipe::transformUnit((*Unit)->context(), Options);
  auto Print = [](const kpipe::Diagnostic &D) {
    errs() << D.Where.File << ":" << D.Where.Line << ":" << D.Where.Column
           << ": " << D.Message << " [kpipe-" << D.Id << "]\n";
  };
  for (const kpipe::LoopOutcome &L : Outcome.Loops) {
    for (const kpipe::Diagnostic &D : L.Diagnostics)
      Print(D);
    errs() << L.DumpTileLoop << L.DumpLegality << L.DumpPlan;
  }
  for (const kpipe::Diagnostic &D : Outcome.Diagnostics)
    Print(D);
  clang::tooling::ApplyChangesSpec Spec;
  Expected<std::string> Text = clang::tooling::applyAtomicChanges(
      (*Unit)->mainFile(), (*Unit)->mainText(), Outcome.Changes, Spec);
  if (!Text) {
    errs() << "kpipe: error: " << toString(Text.takeError()) << "\n";
    return 1;
  }
  outs() << *Text;
  return 0;
}
