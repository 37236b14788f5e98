// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe rewrite`: options in, texts out. Nothing is written before every input
// has its result. It must not know how a result comes about.
#include "Outputs.h"
#include "Rewriter.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace cl = llvm::cl;
#define KPIPE_REWRITE cl::sub(RewriteCommand), cl::cat(KpipeCategory)

static cl::opt<std::string> OutputFile("o", cl::value_desc("file"),
                                       cl::desc("write the result to a file"),
                                       KPIPE_REWRITE);
static cl::opt<std::string>
    OutputDir("output-dir", cl::value_desc("dir"),
              cl::desc("write each result under its name in a folder"),
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
static cl::opt<std::string>
    ExportFixes("export-fixes", cl::value_desc("file.yaml"),
                cl::desc("write the edits for clang-apply-replacements"),
                KPIPE_REWRITE);
static cl::opt<bool>
    Require("require", cl::desc("a loop that is refused is an error"),
            KPIPE_REWRITE);

int runRewrite(CommonRequest Request) {
  if (Request.Transform.Archs.size() > 1)
    return fail(optionError("rewrite takes one --arch; 'kpipe analyze' "
                            "compares several"));
  OutputRequest Output;
  Output.File = OutputFile;
  Output.Directory = OutputDir;
  Output.InPlace = InPlace;
  Output.DryRun = DryRun;
  Output.Diff = Diff;
  Output.FixesFile = ExportFixes;
  if (llvm::Error Bad = checkOutputs(Output, Request.Files))
    return fail(std::move(Bad));
  if (llvm::Error Bad =
          refuseInputs(Request.Files, Request.ReportFile, "--report"))
    return fail(std::move(Bad));

  Request.Frontend.WillCheck = true;
  Rewriter All(Request, llvm::errs());
  for (const std::string &File : Request.Files)
    if (llvm::Error Bad = All.process(File))
      return fail(std::move(Bad));
  if (Require && All.Refused)
    return fail(optionError(llvm::Twine(All.Refused) +
                            (All.Refused == 1 ? " loop was" : " loops were") +
                            " refused and --require was given, so nothing was "
                            "written; the warnings above say why"));
  if (llvm::Error Bad = writeOutputs(Output, All.Files, Request.ReportFile,
                                     jsonReport(All.Loops, All.Others)))
    return fail(std::move(Bad));
  return 0;
}

} // namespace kpipe
