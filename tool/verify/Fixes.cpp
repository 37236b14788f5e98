// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each way is made, compiled and checked like the first one; the first that
// passes is kept.
#include "Fixes.h"
#include "options/FormOptions.h"
#include "support/FileWriter.h"
#include "support/TemporaryFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace kpipe {

/// The comment that stands above each loop that kpipe makes.
static bool isMarker(llvm::StringRef Line) {
  return Line.trim().starts_with("// kpipe: pipelined");
}

bool hasPipelinedLoop(llvm::StringRef Text) {
  return llvm::any_of(llvm::split(Text, '\n'), isMarker);
}

static constexpr llvm::StringLiteral UnrollOne = "#pragma unroll 1";

std::string withoutUnrolling(llvm::StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    size_t Length = std::min(Text.size(), Text.find('\n') + 1);
    llvm::StringRef Line = Text.take_front(Length ? Length : Text.size());
    Text = Text.drop_front(Line.size());
    Out += Line;
    // An author's own pragma stays as it is.
    if (isMarker(Line) && !Text.ltrim().starts_with("#pragma unroll"))
      Out += Line.take_front(Line.find("//")).str() + UnrollOne.str() +
             (Line.ends_with("\r\n") ? "\r\n" : "\n");
  }
  return Out;
}

static std::vector<llvm::StringRef> telling(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Lines;
  bool AfterMarker = false;
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    Line = Line.rtrim();
    if (!Line.empty() && !(AfterMarker && Line.ltrim() == UnrollOne))
      Lines.push_back(Line);
    AfterMarker = isMarker(Line);
  }
  return Lines;
}

bool sameText(llvm::StringRef A, llvm::StringRef B) {
  return telling(A) == telling(B);
}

static unsigned pipelined(const FileResult &Result) {
  return llvm::count_if(Result.Outcome.Loops, [](const LoopOutcome &Loop) {
    return Loop.Verdict == LoopVerdict::Pipelined;
  });
}

std::vector<OtherWay> otherWays(const FileRequest &Request,
                                const FileResult &Result) {
  std::vector<OtherWay> Ways;
  const ArchLimits &Arch =
      llvm::cantFail(findArch(Request.Transform.Archs.front()));
  bool AnyAsync = false;
  unsigned Stages = 1;
  for (const LoopOutcome &Loop : Result.Outcome.Loops) {
    const ArchReport &A = Loop.Report.Archs.front();
    Stages = std::max(Stages, A.stages());
    AnyAsync |= llvm::any_of(A.Copies, [](const CopyReport &Copy) {
      return Copy.Way == Route::AsyncCopy;
    });
  }
  auto Add = [&](Asked<Variant> Copy, Asked<unsigned> Count) {
    LoopForm Over;
    Over.Variant = Copy;
    Over.Stages = Count;
    FileRequest Other = Request;
    Other.Transform.Form = overlay(Other.Transform.Form, Over);
    Ways.push_back({asOptions(Over), std::move(Other)});
  };
  if (AnyAsync)
    Add(Variant::Ldg, {});
  else if (Arch.hasAsyncCopy() && Request.Transform.Form.Stages != 1u)
    Add(Variant::CpAsync, {});
  for (unsigned Fewer = Stages - 1; Fewer > 1; --Fewer)
    Add({}, Fewer);
  if (Stages > 1)
    Add(Variant::Ldg, 1);
  return Ways;
}

llvm::Expected<VerifyReport> verifyResult(const FileRequest &Request,
                                          const FileResult &Result,
                                          const Toolchain &Tools,
                                          unsigned Jobs) {
  VerifyInput Input;
  Input.Original = Input.OriginalFile = Request.File;
  Input.Rewritten = Request.File + ", rewritten";
  Input.Archs = Request.Transform.Archs;
  // Flags of a compile database are read by kpipe's front end.
  if (Request.Frontend.BuildDir.empty()) {
    Input.Flags = Request.Frontend.Flags;
  } else {
    Input.Flags = forNvcc(Result.Arguments, Result.Directory);
    llvm::append_range(Input.Flags, Result.CodeFlags);
  }
  Input.KernelRegex = Request.Transform.KernelRegex;
  Input.MayLoseBlocks = Request.Transform.Form.AllowOccupancyDrop.has_value();
  Input.PlanIsOfText.assign(Input.Archs.size(), true);
  Input.Jobs = Jobs;
  for (const LoopOutcome &Loop : Result.Outcome.Loops)
    Input.Loops.push_back(Loop.Report);

  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make("kpipe-verify");
  if (!Folder)
    return Folder.takeError();
  Input.RewrittenFile = Folder->file(llvm::sys::path::filename(Request.File));
  Input.IncludeFolder = llvm::sys::path::parent_path(Request.File).str();
  if (Input.IncludeFolder.empty())
    Input.IncludeFolder = ".";
  for (const RewrittenFile &File : Result.Files) {
    if (File.IsHeader && File.New != File.Old) {
      VerifyReport Report;
      Report.Original = Input.Original;
      Report.Rewritten = Input.Rewritten;
      Report.NotMade.push_back(
          "everything: the header '" + File.Path +
          "' is rewritten as well; write both with --output-dir, then use "
          "'kpipe verify'");
      return Report;
    }
    if (File.IsHeader)
      continue;
    if (llvm::Error Bad = writeFile(Input.RewrittenFile, File.New))
      return std::move(Bad);
  }
  return verifyTexts(Input, Tools);
}

/// Loops whose code was looked at.
static size_t loopsIn(const VerifyReport &Report) {
  size_t Loops = 0;
  for (const KernelVerification &K : Report.Kernels)
    Loops += K.Loops.size();
  return Loops;
}

llvm::Expected<Fixed> fix(const FileRequest &Request, FileResult Result,
                          VerifyReport Report, const Toolchain &Tools,
                          unsigned Jobs) {
  Fixed F;
  unsigned Loops = pipelined(Result);
  // A way that pipelines less has less that could fail.
  auto IsBetter = [&](const FileResult &R, const VerifyReport &New) {
    return passed(New) && pipelined(R) >= Loops &&
           loopsIn(New) >= loopsIn(Report);
  };
  auto Keep = [&](std::string By, FileResult R, VerifyReport New) {
    F.By = std::move(By);
    F.Result = std::move(R);
    F.Report = std::move(New);
  };

  FileResult Once = Result;
  for (RewrittenFile &File : Once.Files)
    File.New = withoutUnrolling(File.New);
  F.Tried.push_back(UnrollOne.str());
  llvm::Expected<VerifyReport> New = verifyResult(Request, Once, Tools, Jobs);
  if (!New)
    return New.takeError();
  if (IsBetter(Once, *New)) {
    Keep(UnrollOne.str(), std::move(Once), std::move(*New));
    return std::move(F);
  }
  for (OtherWay &Way : otherWays(Request, Result)) {
    F.Tried.push_back(Way.Name);
    llvm::Expected<FileResult> Other = rewriteFile(Way.Request, Jobs == 1);
    if (!Other)
      return Other.takeError();
    llvm::Expected<VerifyReport> Found =
        verifyResult(Way.Request, *Other, Tools, Jobs);
    if (!Found)
      return Found.takeError();
    if (!IsBetter(*Other, *Found))
      continue;
    Keep(Way.Name, std::move(*Other), std::move(*Found));
    return std::move(F);
  }
  F.Result = std::move(Result);
  F.Report = std::move(Report);
  return std::move(F);
}

} // namespace kpipe
