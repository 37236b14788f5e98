// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe verify`: two files in, findings out. Changes nothing but the report
// file, and with --fix the rewritten file.
#include "Verify.h"
#include "registers/Chooser.h"
#include "rewrite/HtmlOutput.h"
#include "support/Command.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "support/Waiting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace kpipe {

namespace cl = llvm::cl;
#define KPIPE_VERIFY                                                           \
  cl::sub(VerifyCommand), cl::sub(RewriteCommand), cl::cat(KpipeCategory)

static cl::opt<bool>
    Annotate("annotate",
             cl::desc("print the loops of the code with what each instruction "
                      "does in the margin, on standard output"),
             cl::sub(VerifyCommand), cl::cat(KpipeCategory));
static cl::opt<bool>
    FixOption("fix",
              cl::desc("where a check fails, try #pragma unroll 1, another "
                       "variant and fewer stages, and keep what passes first"),
              KPIPE_VERIFY);

llvm::Error checkVerifyOptions(const CommonRequest &Request, bool Verify) {
  if (FixOption && !Verify)
    return optionError("--fix says what to do when a check fails; add "
                       "--verify");
  for (const FileRequest &File : Request.Files)
    if (FixOption && File.Transform.Archs.size() > 1)
      return optionError("--fix takes one --arch");
  return llvm::Error::success();
}

static std::string fails(unsigned Number) {
  return llvm::utostr(Number) + (Number == 1 ? " check fails" : " checks fail");
}

/// Why a report does not pass, in one line.
static llvm::Error failure(const VerifyReport &Report, llvm::StringRef After,
                           llvm::ArrayRef<std::string> Tried) {
  unsigned Number = Report.count(CheckVerdict::Fails);
  std::string Text = "'" + Report.Rewritten + "': ";
  if (Number)
    Text += fails(Number);
  if (!Report.NotMade.empty())
    Text += (Number ? " and " : "") + std::string("not all could be checked");
  Text += After.str();
  if (!Tried.empty())
    Text += "; tried in vain: " + llvm::join(Tried, ", ");
  return optionError(Text);
}

static void printFixed(const Fixed &F, llvm::StringRef File) {
  if (!F.By.empty())
    llvm::errs() << "kpipe: note: '" << File << "' passes with " << F.By
                 << "\n";
}

/// In one write, so that other programs' lines stay out of it.
static void printWhole(const VerifyReport &Report) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printVerification(OS, Report);
  llvm::errs() << Text;
}

llvm::Error verifyBeforeWriting(const FileRequest &Request, FileResult &Result,
                                unsigned Jobs,
                                std::vector<KernelVerification> &Page) {
  if (llvm::none_of(Result.Outcome.Loops, [](const LoopOutcome &Loop) {
        return Loop.Verdict == LoopVerdict::Pipelined;
      }))
    return llvm::Error::success(); // it is what it was
  Toolchain Tools =
      findToolchain(Request.Frontend.CudaPath, Request.Frontend.Program);
  std::optional<Waiting> Alone(std::in_place, Request.File);
  llvm::Expected<VerifyReport> Report =
      verifyResult(Request, Result, Tools, Jobs);
  Alone.reset();
  if (!Report)
    return Report.takeError();
  Fixed F{std::move(Result), std::move(*Report), "", {}};
  if (FixOption && F.Report.count(CheckVerdict::Fails)) {
    llvm::Expected<Fixed> Found = fix(Request, std::move(F.Result),
                                      std::move(F.Report), Tools, Jobs);
    if (!Found)
      return Found.takeError();
    F = std::move(*Found);
  }
  printWhole(F.Report);
  printFixed(F, Request.File);
  llvm::append_range(Page, F.Report.Kernels);
  Result = std::move(F.Result);
  if (passed(F.Report))
    return llvm::Error::success();
  return failure(F.Report,
                 "; nothing was written (leave --verify out to have it all the "
                 "same)",
                 F.Tried);
}

/// What kpipe makes of the original for some architectures.
struct Remade {
  FileRequest Request;
  FileResult Result;
};

static llvm::Expected<Remade> remake(const FileRequest &Original,
                                     llvm::ArrayRef<std::string> Archs,
                                     const RegisterSearch &Registers,
                                     bool Each = false) {
  Remade R;
  R.Request = Original;
  R.Request.Transform.Archs = Archs.vec();
  llvm::Expected<FileResult> Result =
      Registers.rewrite(R.Request, /*Alone=*/true, Each);
  if (!Result)
    return Result.takeError();
  R.Result = std::move(*Result);
  return std::move(R);
}

static bool isSame(const Remade &Made, llvm::StringRef Text) {
  return sameText(Made.Result.Files.front().New, Text);
}

/// For all architectures together if Text is what comes of that, in one form or
/// with --per-arch, else for each alone.
static llvm::Expected<std::vector<Remade>>
remakeFor(const FileRequest &Original, llvm::StringRef Text,
          const RegisterSearch &Registers) {
  llvm::ArrayRef<std::string> Archs = Original.Transform.Archs;
  std::vector<Remade> Made;
  if (Archs.size() > 1) {
    // What --per-arch says of a file that cannot have it was said before.
    bool MayDiffer = Text.contains("#if __CUDA_ARCH__ >= ");
    for (bool Each : {false, true}) {
      if (Each && !MayDiffer)
        break;
      llvm::Expected<Remade> Together =
          remake(Original, Archs, Registers, Each);
      if (!Together)
        return Together.takeError();
      if (isSame(*Together, Text)) {
        Made.push_back(std::move(*Together));
        return std::move(Made);
      }
    }
  }
  for (const std::string &Arch : Archs) {
    llvm::Expected<Remade> Alone = remake(Original, Arch, Registers);
    if (!Alone)
      return Alone.takeError();
    Made.push_back(std::move(*Alone));
  }
  return std::move(Made);
}

static llvm::Error checkFiles(const CommonRequest &Request) {
  if (Request.Files.size() != 2)
    return optionError("verify takes two files, the original and the rewritten "
                       "one, not " +
                       llvm::Twine(Request.Files.size()));
  if (FixOption && Request.Files.front().Transform.Archs.size() > 1)
    return optionError("--fix takes one --arch, that of the rewritten file");
  if (llvm::Error Bad =
          refuseInputs(Request.names(), Request.ReportFile, "--report"))
    return Bad;
  if (llvm::Error Bad =
          refuseInputs(Request.names(), Request.HtmlFile, "--html"))
    return Bad;
  return refuseClashes(
      {{Request.ReportFile, "--report"}, {Request.HtmlFile, "--html"}});
}

/// Both reports or none.
static llvm::Error writeReports(const CommonRequest &Request,
                                const VerifyReport &Report,
                                const PageSources &Sources,
                                llvm::ArrayRef<LoopReport> Loops) {
  FileWriter Writer;
  if (!Request.ReportFile.empty()) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    writeVerifyJson(OS, Report);
    if (llvm::Error Bad = Writer.stage(Request.ReportFile, Text))
      return Bad;
  }
  if (!Request.HtmlFile.empty()) {
    HtmlReport Page = makePage(Request, {}, Sources);
    Page.Loops = Loops;
    Page.Machine = Report.Kernels;
    if (llvm::Error Bad = Writer.stage(Request.HtmlFile, htmlText(Page)))
      return Bad;
  }
  return Writer.commit();
}

/// Tries other ways for a rewritten file that is kpipe's own, and writes it.
static llvm::Error fixFile(const std::string &Rewritten, Remade Made,
                           bool IsOurs, const Toolchain &Tools, unsigned Jobs,
                           VerifyReport &Report) {
  if (!IsOurs)
    return optionError("'" + Rewritten +
                       "' is not what kpipe makes of the original with these "
                       "options, so --fix leaves it alone; give the options "
                       "that it was made with");
  llvm::Expected<Fixed> Found = fix(Made.Request, std::move(Made.Result),
                                    std::move(Report), Tools, Jobs);
  if (!Found)
    return Found.takeError();
  Report = std::move(Found->Report);
  Report.Rewritten = Rewritten;
  if (Found->By.empty())
    return failure(Report, "", Found->Tried);
  if (llvm::Error Bad = writeFile(Rewritten, Found->Result.Files.front().New))
    return Bad;
  printFixed(*Found, Rewritten);
  return llvm::Error::success();
}

int runVerify(CommonRequest Request) {
  if (llvm::Error Bad = checkFiles(Request))
    return fail(std::move(Bad));
  InterruptScope Interrupts;
  const FileRequest &Original = Request.Files[0];
  VerifyInput Input;
  Input.Original = Input.OriginalFile = Original.File;
  Input.Rewritten = Input.RewrittenFile = Request.Files[1].File;
  Input.Archs = Original.Transform.Archs;
  Input.KernelRegex = Original.Transform.KernelRegex;
  Input.MayLoseBlocks = Original.Transform.Form.AllowOccupancyDrop.has_value();
  Input.Flags = Original.Frontend.Flags;
  Input.Jobs = Request.Jobs;
  auto Text = llvm::MemoryBuffer::getFile(Input.Rewritten);
  if (!Text)
    return fail(optionError("'" + Input.Rewritten +
                            "': cannot be read: " + Text.getError().message()));

  if (auto First = llvm::MemoryBuffer::getFile(Input.Original);
      First && hasPipelinedLoop((*First)->getBuffer()) &&
      !hasPipelinedLoop((*Text)->getBuffer()))
    return fail(optionError("'" + Input.Original +
                            "' is the rewritten file, and the original comes "
                            "first: 'kpipe verify " +
                            Input.Rewritten + " " + Input.Original + "'"));

  llvm::Expected<RegisterSearch> Registers =
      RegisterSearch::make({Original}, Request.Compilations);
  if (!Registers)
    return fail(Registers.takeError());
  std::optional<Waiting> Alone(std::in_place, Input.Rewritten);
  // The plans, as far as kpipe itself would have written this text.
  llvm::Expected<std::vector<Remade>> Made =
      remakeFor(Original, (*Text)->getBuffer(), *Registers);
  if (!Made) {
    Alone.reset();
    return fail(Made.takeError());
  }
  PageSources Sources;
  for (const Remade &R : *Made) {
    if (!Original.Frontend.BuildDir.empty())
      Input.Flags = forNvcc(R.Result.Arguments);
    for (const LoopOutcome &Loop : R.Result.Outcome.Loops)
      Input.Loops.push_back(Loop.Report);
    RewrittenFile Shown = R.Result.Files.front();
    Shown.New = (*Text)->getBuffer().str();
    for (const std::string &Arch : R.Request.Transform.Archs) {
      Input.PlanIsOfText.push_back(isSame(R, (*Text)->getBuffer()));
      Sources.add(Shown, R.Result.MainFile, Arch);
    }
  }
  Input.Loops = mergeReports(Input.Loops);

  Toolchain Tools =
      findToolchain(Original.Frontend.CudaPath, Original.Frontend.Program);
  llvm::Expected<VerifyReport> Report = verifyTexts(Input, Tools);
  Alone.reset();
  if (!Report)
    return fail(Report.takeError());
  llvm::Error Failed = llvm::Error::success();
  if (FixOption && Report->count(CheckVerdict::Fails))
    Failed = fixFile(Input.Rewritten, std::move(Made->front()),
                     Input.PlanIsOfText.front(), Tools, Request.Jobs, *Report);
  else if (!passed(*Report))
    Failed = failure(*Report, "", {});
  printWhole(*Report);
  if (Annotate) {
    std::string Loops;
    llvm::raw_string_ostream OS(Loops);
    printAnnotated(OS, *Report);
    if (std::error_code Error = writeAll(STDOUT_FILENO, Loops))
      Failed = llvm::joinErrors(std::move(Failed),
                                writeError("standard output", Error));
  }
  Failed = llvm::joinErrors(
      std::move(Failed),
      writeReports(Request, *Report, Sources, Input.Loops));
  return Failed ? fail(std::move(Failed)) : 0;
}

} // namespace kpipe
