// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe rewrite`: options in, texts out. Nothing is written before every input
// has its result or its error. It must not know how a result comes about.
#include "Verify.h"
#include "registers/Chooser.h"
#include "rewrite/HtmlOutput.h"
#include "rewrite/Outputs.h"
#include "rewrite/Rewriter.h"
#include "support/Command.h"
#include "support/Failure.h"
#include "support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace cl = llvm::cl;
#define KPIPE_REWRITE cl::sub(RewriteCommand), cl::cat(KpipeCategory)

static cl::opt<std::string>
    OutputFile("o", cl::value_desc("file"),
               cl::desc("write the result to a file; -: to "
                        "standard output"),
               KPIPE_REWRITE);
static cl::opt<std::string>
    OutputDir("output-dir", cl::value_desc("dir"),
              cl::desc("write each result under its path in a folder; beside -o "
                       "the headers alone"),
              KPIPE_REWRITE);
static cl::opt<bool> InPlace("i", cl::desc("rewrite the files in place"),
                             KPIPE_REWRITE);
static cl::opt<bool> DryRun("dry-run", cl::desc("write no result"),
                            KPIPE_REWRITE);
static cl::alias DryRunShort("n", cl::desc("the same as --dry-run"),
                             cl::aliasopt(DryRun),
                             cl::cat(KpipeCategory));
static cl::opt<bool> Diff("diff",
                          cl::desc("print a unified diff instead of the result"),
                          KPIPE_REWRITE);
static cl::opt<bool>
    Require("require",
            cl::desc("a tile loop that is refused, or may be overlooked, is an "
                     "error"),
            KPIPE_REWRITE);

static cl::opt<std::string>
    Depfile("depfile", cl::value_desc("file.d"),
            cl::desc("write what the output depends on, for make and ninja"),
            KPIPE_REWRITE);

static cl::opt<bool>
    Verify("verify",
           cl::desc("check the machine code of the result with nvcc first; "
                    "nothing is written if a check fails"),
           KPIPE_REWRITE);

static cl::opt<bool>
    PerArch("per-arch",
            cl::desc("where several architectures would get different forms, "
                     "each has its own, between conditions on __CUDA_ARCH__"),
            KPIPE_REWRITE);

/// One rule in the form of make.
static std::string depfileText(llvm::StringRef Target,
                               llvm::ArrayRef<std::string> Dependencies) {
  auto Escaped = [](llvm::StringRef Path) {
    std::string Text;
    for (char C : Path) {
      if (C == ' ' || C == '#')
        Text += '\\';
      else if (C == '$')
        Text += '$';
      Text += C;
    }
    return Text;
  };
  std::string Text = Escaped(Target) + ":";
  for (const std::string &Path : Dependencies)
    Text += " \\\n  " + Escaped(Path);
  return Text + "\n";
}

/// Contradictions among the options, before any file is read.
static llvm::Error check(const CommonRequest &Request,
                         const OutputRequest &Output) {
  for (const FileRequest &File : Request.Files)
    if (File.Registers == RegisterSource::Nvcc &&
        File.Transform.Archs.size() > 1)
      return optionError("--registers=nvcc takes one --arch; leave it out, and "
                         "check the result with 'kpipe verify'");
  for (const FileRequest &File : Request.Files)
    if (PerArch && File.Transform.InlineRuntime)
      return optionError("--per-arch and --inline-runtime contradict each "
                         "other: what is pasted would differ; choose one");
  std::vector<std::string> Names = Request.names();
  if (llvm::Error Bad = checkOutputs(Output, Names))
    return Bad;
  if (llvm::Error Bad = refuseInputs(Names, Request.ReportFile, "--report"))
    return Bad;
  if (llvm::Error Bad = refuseInputs(Names, Request.SarifFile, "--sarif"))
    return Bad;
  if (llvm::Error Bad = checkVerifyOptions(Request, Verify))
    return Bad;
  if (llvm::Error Bad = refuseInputs(Names, Request.HtmlFile, "--html"))
    return Bad;
  if (llvm::Error Bad = refuseClashes({{Output.File, "-o"},
                                       {Output.FixesFile, "--export-fixes"},
                                       {Request.ReportFile, "--report"},
                                       {Request.SarifFile, "--sarif"},
                                       {Request.HtmlFile, "--html"},
                                       {Depfile, "--depfile"}}))
    return Bad;
  if (!Depfile.empty() &&
      (Output.File.empty() || Output.File == StandardOutput))
    return optionError("--depfile names what an output depends on; name the "
                       "output with -o");
  return refuseInputs(Names, Depfile, "--depfile");
}

namespace {

using FileResults = std::vector<std::optional<llvm::Expected<FileResult>>>;

/// A run: of each file a result or an error. What comes of one file does not
/// keep the others from being written.
class RewriteRun {
public:
  RewriteRun(const CommonRequest &Request, const OutputRequest &Output)
      : Request(Request), Output(Output), All(llvm::errs(), Request.Colored) {}

  void take(FileResults Results) {
    for (std::optional<llvm::Expected<FileResult>> &Result : Results)
      if (*Result)
        All.Found.knowInstantiated((*Result)->Outcome.Instantiated);
    for (size_t I = 0; I != Results.size(); ++I)
      if (llvm::Error Bad = take(Request.Files[I], *Results[I])) {
        ++Failed;
        // That is said of the run as a whole.
        if (InterruptScope::interrupted())
          llvm::consumeError(std::move(Bad));
        else
          fail(std::move(Bad));
      }
  }

  /// \returns the exit code.
  int write() {
    if (!All.Conflict.empty())
      return fail(optionError(All.Conflict));
    if (Failed == Request.Files.size())
      return summarize();
    if (Require)
      if (llvm::Error Bad = whatIsRequired())
        return fail(std::move(Bad));
    if (llvm::Error Bad = writeOutputs(Output, All.Files, reports()))
      return fail(std::move(Bad));
    return summarize();
  }

private:
  const CommonRequest &Request;
  const OutputRequest &Output;
  Rewriter All;
  std::vector<std::string> Dependencies;
  PageSources Sources;
  std::vector<KernelVerification> Machine;
  unsigned Failed = 0;
  /// Files of whose loops nothing is known.
  std::vector<std::string> Blind;

  /// With --require: an error where not all tile loops are known to be
  /// pipelined.
  llvm::Error whatIsRequired() {
    if (unsigned Refused = All.Found.refused())
      return optionError(llvm::Twine(Refused) +
                         (Refused == 1 ? " loop was" : " loops were") +
                         " refused and --require was given, so nothing was "
                         "written; the warnings above say why");
    for (const Diagnostic &D : All.Found.Others)
      if (D.Rule == RuleId::NotInstantiated &&
          !llvm::is_contained(Blind, D.Where.File))
        Blind.push_back(D.Where.File);
    if (Blind.empty())
      return llvm::Error::success();
    return optionError(
        "not all loops of '" + Blind.front() + "'" +
        (Blind.size() == 1 ? ""
                           : " and of " + std::to_string(Blind.size() - 1) +
                                 (Blind.size() == 2 ? " other file"
                                                    : " other files")) +
        " were found and --require was given, so nothing was written; what is "
        "said above tells why");
  }

  llvm::Error take(const FileRequest &File,
                   llvm::Expected<FileResult> &Result) {
    if (!Result)
      return Result.takeError();
    if (Verify)
      if (llvm::Error Bad =
              verifyBeforeWriting(File, *Result, Request.Jobs, Machine))
        return Bad;
    llvm::append_range(Dependencies, Result->Dependencies);
    if (Result->IsBlind)
      Blind.push_back(Result->File);
    if (!Request.HtmlFile.empty())
      for (const std::string &Arch : File.Transform.Archs)
        Sources.add(Result->Files, Result->MainFile, Arch);
    return All.add(std::move(*Result));
  }

  std::vector<ExtraFile> reports() {
    std::vector<ExtraFile> Reports;
    if (!Request.ReportFile.empty())
      Reports.push_back({Request.ReportFile, All.Found.json()});
    if (!Request.SarifFile.empty())
      Reports.push_back({Request.SarifFile, All.Found.sarif()});
    if (!Request.HtmlFile.empty()) {
      HtmlReport Page = makePage(Request, All.Found, Sources);
      Page.Machine = std::move(Machine);
      Reports.push_back({Request.HtmlFile, htmlText(Page)});
    }
    if (!Depfile.empty())
      Reports.push_back({Depfile, depfileText(Output.File, Dependencies)});
    return Reports;
  }

  /// One line on a run of several files.
  int summarize() const {
    if (Request.Files.size() > 1)
      llvm::errs() << "kpipe: " + countsOf(All.Found, Request.Files.size(),
                                           Failed) +
                          "\n";
    return Failed ? 1 : 0;
  }
};

} // namespace

int runRewrite(CommonRequest Request) {
  OutputRequest Output;
  Output.File = OutputFile;
  Output.Directory = OutputDir;
  Output.InPlace = InPlace;
  Output.DryRun = DryRun;
  Output.Diff = Diff;
  Output.FixesFile = Request.FixesFile;
  if (llvm::Error Bad = check(Request, Output))
    return fail(std::move(Bad));
  llvm::Expected<RegisterSearch> Registers =
      RegisterSearch::make(Request.Files, Request.Compilations);
  if (!Registers)
    return fail(Registers.takeError());
  std::optional<InterruptScope> Interrupts;
  if (Verify || Registers->runsNvcc())
    Interrupts.emplace();

  FileResults Results(Request.Files.size());
  forEachFile(Request.names(), Request.Jobs, [&](size_t I) {
    Results[I].emplace(
        Registers->rewrite(Request.Files[I], Request.Jobs == 1, PerArch));
  });
  auto interrupted = [&] {
    return Interrupts && InterruptScope::interrupted();
  };
  RewriteRun Run(Request, Output);
  if (!interrupted())
    Run.take(std::move(Results));
  else
    for (std::optional<llvm::Expected<FileResult>> &Result : Results)
      if (!*Result)
        llvm::consumeError(Result->takeError());
  if (interrupted())
    return fail(optionError("interrupted; nothing was written"));
  return Run.write();
}

} // namespace kpipe
