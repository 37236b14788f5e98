// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edits of one file are applied together; clang-format is asked only where
// the file has a style of its own.
#include "Rewriter.h"
#include "Guard.h"
#include "clang/Format/Format.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace kpipe {

/// Applies one file's edits; changed lines follow the file's .clang-format
/// where it has one.
static llvm::Expected<std::string>
apply(llvm::StringRef Path, llvm::StringRef Text,
      llvm::ArrayRef<clang::tooling::AtomicChange> Changes) {
  clang::tooling::ApplyChangesSpec Spec;
  Spec.Cleanup = false;
  llvm::Expected<clang::format::FormatStyle> Style =
      clang::format::getStyle("file", Path, /*FallbackStyle=*/"none", Text);
  if (Style) {
    Spec.Style = *Style;
    Spec.Format = clang::tooling::ApplyChangesSpec::kAll;
  } else {
    llvm::consumeError(Style.takeError());
  }
  return clang::tooling::applyAtomicChanges(Path, Text, Changes, Spec);
}

static llvm::Error internalError(llvm::StringRef File, llvm::Error Why) {
  return optionError("internal error: '" + File +
                     "': the rewritten text is not valid, nothing was "
                     "written: " +
                     llvm::toString(std::move(Why)) +
                     "; please report it with the file");
}

llvm::Error Rewriter::addHeader(RewrittenFile Header) {
  for (const RewrittenFile &Known : Files)
    if (Known.Path == Header.Path) {
      if (Known.New == Header.New)
        return llvm::Error::success();
      return optionError("'" + Header.Path +
                         "' is rewritten in two ways by two inputs; give them "
                         "to separate runs");
    }
  Files.push_back(std::move(Header));
  return llvm::Error::success();
}

llvm::Error Rewriter::applyChanges(llvm::StringRef File, UnitResult &Result) {
  // Ordered, so that headers come out the same way every time.
  std::map<std::string, clang::tooling::AtomicChanges> ByFile;
  for (const clang::tooling::AtomicChange &Change : Result.Outcome.Changes)
    ByFile[Change.getFilePath()].push_back(Change);

  RewrittenFile Main{File.str(), Result.Unit->mainText().str(),
                     Result.Unit->mainText().str(), false};
  std::vector<RewrittenFile> Headers;
  llvm::StringMap<std::string> NewTexts;
  for (const auto &[Path, Changes] : ByFile) {
    bool IsMain = Path == Result.Unit->mainFile();
    if (!IsMain && llvm::sys::fs::equivalent(Path, File, IsMain))
      IsMain = false;
    RewrittenFile Header;
    if (!IsMain) {
      auto Buffer = llvm::MemoryBuffer::getFile(Path);
      if (!Buffer)
        return optionError("'" + Path +
                           "': cannot be read: " + Buffer.getError().message());
      Header = {Path, (*Buffer)->getBuffer().str(), "", true};
    }
    llvm::Expected<std::string> New =
        apply(Path, IsMain ? Main.Old : Header.Old, Changes);
    if (!New)
      return internalError(File, New.takeError());
    NewTexts[IsMain ? Result.Unit->mainFile() : llvm::StringRef(Path)] = *New;
    if (IsMain) {
      Main.New = std::move(*New);
    } else {
      Header.New = std::move(*New);
      Headers.push_back(std::move(Header));
    }
  }
  if (!NewTexts.empty()) {
    Activity Doing(Activity::Parsing, File);
    if (llvm::Error Bad = Result.Unit->checkParses(NewTexts))
      return internalError(File, std::move(Bad));
  }
  Files.push_back(std::move(Main));
  for (RewrittenFile &Header : Headers)
    if (llvm::Error Bad = addHeader(std::move(Header)))
      return Bad;
  return llvm::Error::success();
}

llvm::Error Rewriter::process(llvm::StringRef File) {
  llvm::Expected<UnitResult> Result = processUnit(File, 0, Request);
  if (!Result)
    return Result.takeError();
  Printer.setText(Result->Unit->mainFile(), Result->Unit->mainText());
  bool AnyPipelined = false;
  for (const LoopOutcome &Loop : Result->Outcome.Loops) {
    AnyPipelined |= Loop.Verdict == LoopVerdict::Pipelined;
    Refused += Loop.Verdict == LoopVerdict::Refused;
    Loops.push_back(Loop.Report);
  }
  if (!AnyPipelined)
    Result->Others.push_back(
        {Severity::Remark,
         "nothing-pipelined",
         {File.str(), 0, 0},
         Result->Outcome.Loops.empty()
             ? "no loop with a block barrier is in it; the output equals the "
               "input"
             : "no loop was pipelined; the output equals the input",
         {}});
  for (const LoopOutcome &Loop : Result->Outcome.Loops)
    for (const Diagnostic &D : Loop.Diagnostics)
      Printer.print(D);
  for (const Diagnostic &D : Result->Others) {
    Printer.print(D);
    if (D.Level == Severity::Error)
      return optionError("'" + File + "': nothing was written because of the "
                         "error above; please report it with the file");
  }
  Others.insert(Others.end(), Result->Others.begin(), Result->Others.end());
  return applyChanges(File, *Result);
}

} // namespace kpipe
