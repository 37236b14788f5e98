// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parse loop, and the places at which it is worth to leave a snapshot. It
// must not know why a snapshot is wanted.
#include "ParseAction.h"
#include "CallsWithErrors.h"
#include "HostCode.h"
#include "Instantiate.h"
#include "LostStatements.h"
#include "NvccSpelling.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace kpipe {

/// Watches the preprocessor come back from an include to the main file, and
/// takes a snapshot there if much was read since the last one. The snapshot's
/// copy goes on from here in another text.
class SnapshotPoints : public clang::PPCallbacks {
public:
  SnapshotPoints(ParseAction &Action, clang::Preprocessor &PP)
      : Action(Action), PP(PP), SM(PP.getSourceManager()) {}

  void FileChanged(clang::SourceLocation Where, FileChangeReason Reason,
                   clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (Reason != ExitFile || Action.ReplyTo >= 0)
      return;
    auto [File, Offset] = SM.getDecomposedLoc(Where);
    if (File != SM.getMainFileID() || Offset > *Action.SnapshotLimit)
      return;
    auto Read = SM.getNextLocalOffset();
    // What comes precompiled is read bit by bit; it costs as much.
    if (SM.loaded_sloc_entry_size())
      Read += WorthBytes;
    if (Read - ReadBefore < WorthBytes)
      return;
    ReadBefore = Read;
    Action.Taken.reset();
    Snapshot::Forked Forked =
        Snapshot::take(Offset, Action.Errors.Errors.size());
    Action.Taken = std::move(Forked.Handle);
    if (Forked.Rest) {
      Action.ReplyTo = Forked.ReplyTo;
      Action.Question = std::move(Forked.Question);
      Action.ErrorsBefore = Action.Errors.Errors.size();
      continueIn(std::move(*Forked.Rest), Where);
    }
  }

private:
  /// A fork costs about what parsing this much of a header costs.
  static constexpr unsigned WorthBytes = 256 << 10;

  /// Makes the preprocessor go on in Rest as if the main file's text went on
  /// with it. Rest stands beside the main file, so that quoted includes are
  /// found, and inherits the #if directives that are open.
  void continueIn(std::string Rest, clang::SourceLocation Where) {
    clang::PreprocessorLexer *Main = PP.getCurrentFileLexer();
    llvm::SmallVector<clang::PPConditionalInfo> Open(Main->conditional_begin(),
                                                     Main->conditional_end());
    // The main file's own rest is skipped.
    Main->setConditionalLevels({});
    auto *MainLexer = static_cast<clang::Lexer *>(Main);
    MainLexer->seek(MainLexer->getBuffer().size(), /*IsAtStartOfLine=*/true);

    llvm::SmallString<256> Name(llvm::sys::path::parent_path(
        SM.getFileEntryRefForID(SM.getMainFileID())->getName()));
    llvm::sys::path::append(Name, "<rewritten rest>");
    clang::FileEntryRef Entry =
        SM.getFileManager().getVirtualFileRef(Name, Rest.size(), 0);
    SM.overrideFileContents(Entry,
                            llvm::MemoryBuffer::getMemBufferCopy(Rest, Name));
    clang::FileID File =
        SM.createFileID(Entry, Where, clang::SrcMgr::C_User);
    PP.EnterSourceFile(File, /*Dir=*/nullptr, Where);
    PP.getCurrentFileLexer()->setConditionalLevels(Open);
  }

  ParseAction &Action;
  clang::Preprocessor &PP;
  clang::SourceManager &SM;
  clang::SourceLocation::UIntTy ReadBefore = 0;
};

namespace {

/// Notes what conditions leave out.
class SkippedCode : public clang::PPCallbacks {
public:
  explicit SkippedCode(std::vector<clang::SourceRange> &Found) : Found(Found) {}
  void SourceRangeSkipped(clang::SourceRange Range,
                          clang::SourceLocation) override {
    Found.push_back(Range);
  }

private:
  std::vector<clang::SourceRange> &Found;
};

/// `extern __shared__ Struct s;` is a variable of the unit for nvcc. Clang
/// takes it where device code is linked; as launches are read otherwise there,
/// it is told so while it reads a declaration with these words.
class ExternShared : public clang::PPCallbacks {
public:
  ExternShared(clang::Preprocessor &PP, clang::LangOptions &Options)
      : SM(PP.getSourceManager()), Options(Options) {}
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &,
                    clang::SourceRange Range,
                    const clang::MacroArgs *) override {
    const clang::IdentifierInfo *Word = Name.getIdentifierInfo();
    if (!Word || !Word->isStr("__shared__"))
      return;
    auto [File, At] = SM.getDecomposedExpansionLoc(Range.getBegin());
    const llvm::StringRef Text = SM.getBufferData(File);
    const size_t Begin = Text.take_front(At).find_last_of(";{}") + 1;
    if (Name.getLocation().isMacroID() ||
        Text.slice(Begin, Text.find_first_of(";{}", At)).contains("extern"))
      Options.GPURelocatableDeviceCode = true;
  }

private:
  const clang::SourceManager &SM;
  clang::LangOptions &Options;
};

} // namespace

void ParseAction::ExecuteAction() {
  clang::CompilerInstance &CI = getCompilerInstance();
  CI.createSema(getTranslationUnitKind(), /*CompletionConsumer=*/nullptr);
  clang::Sema &S = CI.getSema();
  clang::Preprocessor &PP = CI.getPreprocessor();
  PP.addPPCallbacks(std::make_unique<SkippedCode>(Skipped));
  readAsNvcc(PP);
  if (SnapshotLimit)
    PP.addPPCallbacks(std::make_unique<SnapshotPoints>(*this, PP));

  // clang::ParseAST's loop, taken apart to stop before the unit is finished.
  clang::Parser P(PP, S, /*SkipFunctionBodies=*/false);
  PP.EnterMainSourceFile();
  P.Initialize();
  clang::EnterExpressionEvaluationContext Evaluated(
      S, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  clang::Parser::DeclGroupPtrTy Decls;
  clang::Sema::ModuleImportState ImportState;
  const bool Linked = CI.getLangOpts().GPURelocatableDeviceCode;
  PP.addPPCallbacks(std::make_unique<ExternShared>(PP, CI.getLangOpts()));
  bool AtEnd = P.ParseFirstTopLevelDecl(Decls, ImportState);
  while (!AtEnd) {
    if (P.getCurToken().is(clang::tok::eof)) {
      if (!Errors.Errors.empty())
        resolveCallsWithErrors(S);
      instantiateDefaults(S);
    }
    AtEnd = P.ParseTopLevelDecl(Decls, ImportState);
    CI.getLangOpts().GPURelocatableDeviceCode = Linked;
  }
  CI.getLangOpts().GPURelocatableDeviceCode = Linked;
  CI.getASTConsumer().HandleTranslationUnit(S.getASTContext());
  if (!Errors.Errors.empty()) {
    const std::vector<clang::SourceLocation> All =
        findLostStatements(S.getASTContext(), Skipped);
    markFunctionsAround(All, S.getASTContext());
    for (clang::SourceLocation Lost : All)
      Errors.add(S.getSourceManager(), Lost,
                 "because of another error Clang leaves out what stands here");
    markHostErrors(Errors, PP);
  }
  if (ReplyTo >= 0)
    Snapshot::reply(
        ReplyTo, llvm::ArrayRef(Errors.Errors).drop_front(ErrorsBefore),
        Answerer && !Question.empty() ? Answerer(S.getASTContext(), Question)
                                      : std::string());
}

} // namespace kpipe
