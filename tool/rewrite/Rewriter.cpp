// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edits of one file are applied together; clang-format is asked only where
// the file has a style of its own.
#include "Rewriter.h"
#include "DiagnosticPrinter.h"
#include "DirectiveComments.h"
#include "LineDirectives.h"
#include "LoweredCopies.h"
#include "NothingFound.h"
#include "RawTokens.h"
#include "RestagedLoops.h"
#include "ResultCheck.h"
#include "WrapLines.h"
#include "kpipe/LineDiff.h"
#include "kpipe/TextMarks.h"
#include "support/CrashGuard.h"
#include "support/Failure.h"
#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace kpipe {

/// Breaking a line costs time and memory out of all proportion to its length,
/// and nobody reads one of this length.
static constexpr size_t EndlessLine = 1000;

/// The text's tokens, and which of them begin a directive.
static std::vector<std::pair<llvm::StringRef, bool>>
tokensOf(llvm::StringRef Text) {
  std::vector<std::pair<llvm::StringRef, bool>> All;
  for (const RawToken &T : rawTokens(Text))
    All.push_back({Text.substr(T.Offset, T.Length),
                   T.Kind == clang::tok::hash && T.BeginsLine});
  return All;
}

/// The lines of New that Old has not, for clang-format; none where one of them
/// is endless.
static std::vector<clang::tooling::Range> changedLines(llvm::StringRef Old,
                                                       llvm::StringRef New) {
  const std::vector<llvm::StringRef> Lines = splitLines(New);
  std::vector<clang::tooling::Range> Ranges;
  for (const LineChange &C : diffLines(splitLines(Old), Lines)) {
    const auto Changed =
        llvm::ArrayRef(Lines).slice(C.NewBegin, C.NewEnd - C.NewBegin);
    if (Changed.empty())
      continue;
    if (llvm::any_of(Changed, [](llvm::StringRef Line) {
          return Line.size() > EndlessLine;
        }))
      return {};
    Ranges.emplace_back(Changed.front().begin() - New.begin(),
                        Changed.back().end() - Changed.front().begin());
  }
  return Ranges;
}

/// The style without what changes tokens.
static clang::format::FormatStyle layoutOf(clang::format::FormatStyle Style) {
  using Format = clang::format::FormatStyle;
  Style.InsertBraces = Style.RemoveBracesLLVM = Style.RemoveSemicolon = false;
  Style.RemoveParentheses = Format::RPS_Leave;
  Style.QualifierAlignment = Format::QAS_Leave;
  Style.InsertTrailingCommas = Format::TCS_None;
  Style.IntegerLiteralSeparator = {};
  return Style;
}

/// Has changed lines follow the file's .clang-format where it has one and the
/// format changes no token; else breaks them at the width of the file.
static std::string laidOut(llvm::StringRef Path, llvm::StringRef Old,
                           std::string New) {
  llvm::Expected<clang::format::FormatStyle> Style =
      clang::format::getStyle("file", Path, /*FallbackStyle=*/"none", Old);
  if (!Style) {
    llvm::consumeError(Style.takeError());
    return wrapLines(Old, New);
  }
  if (Style->DisableFormat)
    return Style->ColumnLimit == 0 ? New : wrapLines(Old, New);
  const auto Ranges = changedLines(Old, New);
  llvm::Expected<std::string> Formatted = clang::tooling::applyAllReplacements(
      New, clang::format::reformat(layoutOf(*Style), New, Ranges, Path));
  if (Formatted && tokensOf(*Formatted) == tokensOf(New))
    return withDirectiveComments(New, *Formatted);
  llvm::consumeError(Formatted.takeError());
  return Style->ColumnLimit == 0 ? New
                                 : wrapLines(Old, New, Style->ColumnLimit);
}

/// Applies one file's edits and takes the marks out.
static llvm::Expected<std::string>
apply(llvm::StringRef Path, llvm::StringRef Text,
      llvm::ArrayRef<clang::tooling::AtomicChange> Changes) {
  clang::tooling::ApplyChangesSpec Spec;
  Spec.Cleanup = false;
  llvm::Expected<std::string> New =
      clang::tooling::applyAtomicChanges(Path, Text, Changes, Spec);
  if (New)
    *New = withoutMarks(std::move(*New));
  return New;
}

static llvm::Error internalError(llvm::StringRef File, llvm::Error Why) {
  return optionError("internal error: '" + File +
                     "': the rewritten text is not valid, nothing was "
                     "written: " +
                     llvm::toString(std::move(Why)) +
                     "; please report it with the file");
}

/// The file and each edited header with the unit's edits applied.
static llvm::Expected<std::vector<RewrittenFile>>
appliedFiles(const FileRequest &Request, const UnitResult &Unit,
             llvm::StringMap<std::string> &NewTexts) {
  // Ordered, so that headers come out the same way every time.
  std::map<std::string, clang::tooling::AtomicChanges> ByFile;
  for (const clang::tooling::AtomicChange &Change : Unit.Outcome.Changes)
    ByFile[Change.getFilePath()].push_back(Change);

  std::string Main = Unit.author().mainText().str();
  std::vector<RewrittenFile> Files{{Request.File, Main, Main}};
  for (const auto &[Path, Changes] : ByFile) {
    llvm::Expected<std::string> Old = authorsText(Unit, Path),
                                Lowered = loweredText(Unit, Path);
    if (!Old || !Lowered)
      return llvm::joinErrors(Old.takeError(), Lowered.takeError());
    size_t At = 0;
    if (Path != Unit.Unit->mainFile()) {
      At = Files.size();
      Files.push_back({Path, *Old, "", true});
    }
    llvm::Expected<std::string> New = apply(Path, *Lowered, Changes);
    if (!New)
      return internalError(Request.File, New.takeError());
    Files[At].New = NewTexts[Path] = laidOut(Path, *Old, std::move(*New));
  }
  return std::move(Files);
}

llvm::Expected<std::vector<RewrittenFile>>
rewrittenFiles(const FileRequest &Request, UnitResult &Unit) {
  ResultCheck Check(Request, Unit);
  for (;;) {
    llvm::StringMap<std::string> NewTexts;
    llvm::Expected<std::vector<RewrittenFile>> Files =
        appliedFiles(Request, Unit, NewTexts);
    if (!Files)
      return Files;
    llvm::Expected<bool> Holds = Check.holds(*Files, NewTexts);
    if (!Holds)
      return internalError(Request.File, Holds.takeError());
    if (!*Holds)
      continue;
    if (Request.LineDirectives)
      for (RewrittenFile &File : *Files)
        File.New = withLineDirectives(File.Path, File.Old, File.New);
    return Files;
  }
}

bool anyPipelined(const UnitOutcome &Outcome) {
  return llvm::any_of(Outcome.Loops, [](const LoopOutcome &Loop) {
    return Loop.Verdict == LoopVerdict::Pipelined;
  });
}

/// The files of a unit; loops that were lowered in vain are as they were.
static llvm::Expected<std::vector<RewrittenFile>>
filesOfLowered(const FileRequest &Request, UnitResult &Unit) {
  std::vector<LoopOutcome> InVain;
  std::vector<Place> LeftAlone;
  for (;;) {
    llvm::Expected<std::vector<RewrittenFile>> Files =
        rewrittenFiles(Request, Unit);
    std::vector<Place> Vain = loweredInVain(Unit);
    auto IsAt = [](const LoopOutcome &Loop, llvm::ArrayRef<Place> Places) {
      return llvm::any_of(Places, [&](const Place &P) {
        return P.File == Loop.Where.File && P.Line == Loop.Where.Line;
      });
    };
    if (!Files || Vain.empty()) {
      // What is said of the others is why nothing came of them.
      for (LoopOutcome &Other : InVain) {
        auto Known = llvm::find_if(
            Unit.Outcome.Loops, [&](const LoopOutcome &Loop) {
              return IsAt(Other, Loop.Where);
            });
        if (Known == Unit.Outcome.Loops.end())
          Unit.Outcome.Loops.push_back(std::move(Other));
        else if (Known->Verdict != LoopVerdict::Pipelined)
          *Known = std::move(Other);
      }
      return Files;
    }
    // Of a loop that is staged by hand its author's text tells more.
    for (const LoopOutcome &Loop : Unit.Outcome.Loops)
      if (IsAt(Loop, Vain) && !keepStagedInVain(Unit, Loop) &&
          Loop.Verdict != LoopVerdict::AlreadyPipelined)
        InVain.push_back(Loop);
    llvm::append_range(LeftAlone, Vain);
    if (llvm::Error Bad =
            transformLowered(Unit, Request, LeftAlone, Unit.ArchIndex))
      return std::move(Bad);
  }
}

llvm::Expected<FileResult> checkedResult(const FileRequest &Request,
                                         UnitResult &Unit) {
  FileResult Result;
  Result.File = Request.File;
  Result.Arch = Request.Transform.Archs[Unit.ArchIndex];
  Result.MainFile = Unit.Unit->mainFile().str();
  Result.MainText = Unit.author().mainText().str();
  Result.Others = Unit.others();
  Result.Dependencies = Unit.Unit->dependencies();
  Result.Arguments = Unit.Unit->arguments();
  Result.CodeFlags = Unit.Unit->codeFlags();
  Result.Directory = Unit.Unit->directory().str();
  llvm::append_range(Result.Dependencies, Request.SettingsFiles);
  Result.IsBlind = isBlindTo(Unit);
  if (!anyPipelined(Unit.Outcome))
    Result.Others.push_back(remarkOnNothing(Request, Unit.Outcome));
  llvm::Expected<std::vector<RewrittenFile>> Files =
      filesOfLowered(Request, Unit);
  if (!Files)
    return Files.takeError();
  Result.Files = std::move(*Files);
  Result.Outcome = std::move(Unit.Outcome);
  return std::move(Result);
}

llvm::Expected<FileResult> rewriteFile(FileRequest Request, bool Alone) {
  Request.Frontend.WillCheck = Alone;
  llvm::Expected<UnitResult> Unit = processUnit(Request, 0);
  if (!Unit)
    return Unit.takeError();
  return checkedResult(Request, *Unit);
}

llvm::Expected<FileResult> rewriteAgain(const FileRequest &Request,
                                        UnitResult &Unit) {
  if (llvm::Error Bad = transformLowered(Unit, Request, {}, Unit.ArchIndex))
    return std::move(Bad);
  return checkedResult(Request, Unit);
}

llvm::Error Rewriter::addHeader(RewrittenFile Header, llvm::StringRef From) {
  // Two files may reach a header by two names.
  llvm::SmallString<256> Name;
  if (llvm::sys::fs::real_path(Header.Path, Name))
    Name = Header.Path;
  auto [Entry, IsNew] = HeaderFrom.try_emplace(Name, From.str());
  if (IsNew) {
    Files.push_back(std::move(Header));
    return llvm::Error::success();
  }
  for (const RewrittenFile &Known : Files) {
    llvm::SmallString<256> Other;
    if (!Known.IsHeader || llvm::sys::fs::real_path(Known.Path, Other) ||
        Other != Name || Known.New == Header.New)
      continue;
    return optionError("'" + Header.Path + "' is rewritten in one way for '" +
                       Entry->second + "' and in another for '" + From +
                       "'; give them to separate runs, or leave the header out "
                       "of --header-filter");
  }
  return llvm::Error::success();
}

/// A header's loop is edited for all files or for none.
llvm::Error Rewriter::compareVerdicts(const FileResult &Result) {
  for (const LoopOutcome &Loop : Result.Outcome.Loops) {
    if (Loop.Where.File == Result.MainFile)
      continue;
    llvm::SmallString<256> Name;
    if (llvm::sys::fs::real_path(Loop.Where.File, Name))
      Name = Loop.Where.File;
    std::string Line = ":" + std::to_string(Loop.Where.Line),
                Place = Loop.Where.File + Line;
    bool Edited = Loop.Verdict == LoopVerdict::Pipelined;
    auto [Entry, IsNew] =
        Verdicts.try_emplace(Name.str().str() + Line,
                             std::make_pair(Edited, Result.File));
    const auto &[Before, From] = Entry->second;
    if (IsNew || Before == Edited)
      continue;
    return optionError("the loop in '" + Place + "' is pipelined for '" +
                       (Edited ? Result.File : From) + "' and refused for '" +
                       (Edited ? From : Result.File) +
                       "'; put '// kpipe: off' above it, or leave the header "
                       "out of --header-filter");
  }
  return llvm::Error::success();
}

llvm::Error Rewriter::addFiles(FileResult Result) {
  if (llvm::Error Bad = compareVerdicts(Result))
    return Bad;
  if (std::string Wrong =
          Readers.add(Result.File, Result.MainFile, Result.Outcome);
      !Wrong.empty())
    return optionError(Wrong);
  for (RewrittenFile &File : Result.Files) {
    if (!File.IsHeader)
      Files.push_back(std::move(File));
    else if (llvm::Error Bad = addHeader(std::move(File), Result.File))
      return Bad;
  }
  return llvm::Error::success();
}

llvm::Error Rewriter::add(FileResult Result) {
  DiagnosticPrinter Printer(OS, Colored);
  Printer.setText(Result.MainFile, Result.MainText);
  size_t Printed = Found.Diagnostics.size();
  for (const LoopOutcome &Loop : Result.Outcome.Loops)
    Found.add(Loop);
  for (const Diagnostic &D : Result.Others)
    Found.add(D);
  for (; Printed != Found.Diagnostics.size(); ++Printed)
    if (!Found.Diagnostics[Printed].Quiet)
      Printer.print(Found.Diagnostics[Printed]);
  if (llvm::any_of(Result.Others, [](const Diagnostic &D) {
        return D.Level == Severity::Error;
      }))
    return optionError("'" + Result.File +
                       "': nothing was written because of the error above; "
                       "please report it with the file");
  llvm::Error Bad = addFiles(std::move(Result));
  if (Bad && Conflict.empty())
    Conflict = llvm::toString(std::move(Bad));
  else
    llvm::consumeError(std::move(Bad));
  return llvm::Error::success();
}

} // namespace kpipe
