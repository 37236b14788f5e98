// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the driver's own parts, with the editor's text in the place of the one
// on the disk; see Documents.h.
#include "Documents.h"
#include "rewrite/Rewriter.h"
#include "rewrite/Session.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

static bool isAt(const Place &A, const Place &B) {
  return A.File == B.File && A.Line == B.Line && A.Column == B.Column;
}

static llvm::Expected<FileRequest> requestFor(const Document &D,
                                              const CommonRequest &Options) {
  llvm::Expected<FileRequest> Request =
      readFileRequest(D.Path, Options.Program, Options.Flags);
  if (Request)
    Request->Frontend.InputText = D.Text;
  return Request;
}

static void addLoop(const LoopOutcome &Loop, Analysis &To) {
  auto Known = llvm::find_if(
      To.Loops, [&](const EditorLoop &L) { return isAt(L.Where, Loop.Where); });
  if (Known == To.Loops.end()) {
    To.Loops.push_back({Loop.Where, Loop.LastLine, false});
    Known = std::prev(To.Loops.end());
  }
  Known->Pipelined |= Loop.Verdict == LoopVerdict::Pipelined;
}

Analysis analyze(const Document &D, const CommonRequest &Options) {
  Analysis Result;
  llvm::Expected<FileRequest> Asked = requestFor(D, Options);
  if (!Asked) {
    Result.Error = llvm::toString(Asked.takeError());
    return Result;
  }
  Findings Found;
  for (const std::string &Arch : Asked->Transform.Archs) {
    FileRequest Request = *Asked;
    Request.Transform.Archs = {Arch};
    llvm::Expected<UnitResult> Unit = processUnit(Request, 0);
    if (!Unit) {
      Result.Error = llvm::toString(Unit.takeError());
      return Result;
    }
    Result.MainFile = Unit->Unit->mainFile().str();
    for (const LoopOutcome &Loop : Unit->Outcome.Loops) {
      Found.add(Loop);
      addLoop(Loop, Result);
    }
    for (const Diagnostic &Other : Unit->others())
      Found.add(Other);
  }
  for (const Diagnostic &Said : Found.Diagnostics)
    if (!Said.Quiet)
      Result.Diagnostics.push_back(Said);
  Result.Reports = mergeReports(Found.Loops);
  return Result;
}

const EditorLoop *loopAt(const Analysis &Known, unsigned First, unsigned Last) {
  const EditorLoop *Best = nullptr;
  for (const EditorLoop &L : Known.Loops)
    if (L.Where.File == Known.MainFile && L.Where.Line <= Last &&
        First <= std::max(L.LastLine, L.Where.Line) &&
        (!Best || Best->Where.Line <= L.Where.Line))
      Best = &L;
  return Best;
}

std::string budgetOf(const Analysis &Known, const EditorLoop &Loop) {
  std::vector<LoopReport> Reports;
  llvm::copy_if(Known.Reports, std::back_inserter(Reports),
                [&](const LoopReport &R) { return isAt(R.Where, Loop.Where); });
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printTable(OS, Reports);
  return Text;
}

llvm::Expected<std::vector<RewrittenFile>>
pipelineLoop(const Document &D, const EditorLoop &Loop,
             const CommonRequest &Options) {
  llvm::Expected<FileRequest> Request = requestFor(D, Options);
  if (!Request)
    return Request.takeError();
  for (const EditorLoop &Other : D.Known.Loops)
    if (!isAt(Other.Where, Loop.Where))
      Request->Transform.Vetoes.push_back({Other.Where, {}});
  llvm::Expected<FileResult> Result = rewriteFile(*Request, /*Alone=*/false);
  if (!Result)
    return Result.takeError();
  for (const LoopOutcome &L : Result->Outcome.Loops)
    if (isAt(L.Where, Loop.Where)) {
      if (L.Verdict == LoopVerdict::Pipelined)
        return std::move(Result->Files);
      if (!L.Diagnostics.empty())
        return optionError(L.Diagnostics.front().What.str());
    }
  return optionError("the loop is not pipelined");
}

} // namespace kpipe
