// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parse loop. It is clang::ParseAST's, taken apart so that it can stop
// between two declarations. It must not know why a snapshot is wanted.
#include "ParseAction.h"
#include "Instantiate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace kpipe {

/// Makes the preprocessor go on in Rest as if the main file's text went on
/// with it from here. The text stands beside the main file, so that quoted
/// includes are found, and inherits the #if directives that are open.
static void continueIn(clang::Preprocessor &PP, clang::Parser &P,
                       std::string Rest) {
  clang::SourceManager &SM = PP.getSourceManager();
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
      SM.createFileID(Entry, P.getCurToken().getLocation(), clang::SrcMgr::C_User);
  PP.EnterSourceFile(File, /*Dir=*/nullptr, P.getCurToken().getLocation());
  PP.getCurrentFileLexer()->setConditionalLevels(Open);
  P.ConsumeToken();
}

void ParseAction::ExecuteAction() {
  clang::CompilerInstance &CI = getCompilerInstance();
  CI.createSema(getTranslationUnitKind(), /*CompletionConsumer=*/nullptr);
  clang::Sema &S = CI.getSema();
  clang::Preprocessor &PP = CI.getPreprocessor();
  clang::SourceManager &SM = CI.getSourceManager();
  clang::ASTConsumer &Consumer = CI.getASTConsumer();

  clang::Parser P(PP, S, /*SkipFunctionBodies=*/false);
  PP.EnterMainSourceFile();
  P.Initialize();
  clang::EnterExpressionEvaluationContext Evaluated(
      S, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);

  int ReplyTo = -1;
  size_t ErrorsBefore = 0;
  clang::Parser::DeclGroupPtrTy Decls;
  clang::Sema::ModuleImportState ImportState;
  bool AtEnd = P.ParseFirstTopLevelDecl(Decls, ImportState);
  while (!AtEnd) {
    clang::Token Next = P.getCurToken();
    if (SnapshotOffset && Next.isNot(clang::tok::eof) &&
        Next.getLocation().isFileID()) {
      auto [File, Offset] = SM.getDecomposedLoc(Next.getLocation());
      if (File == SM.getMainFileID() && Offset >= *SnapshotOffset) {
        SnapshotOffset.reset();
        Snapshot::Forked Forked =
            Snapshot::take(Offset, Errors.Errors.size());
        Taken = std::move(Forked.Handle);
        if (Forked.Rest) {
          ReplyTo = Forked.ReplyTo;
          ErrorsBefore = Errors.Errors.size();
          continueIn(PP, P, std::move(*Forked.Rest));
        }
      }
    }
    if (P.getCurToken().is(clang::tok::eof))
      instantiateDefaults(S);
    AtEnd = P.ParseTopLevelDecl(Decls, ImportState);
  }
  Consumer.HandleTranslationUnit(S.getASTContext());
  if (ReplyTo >= 0)
    Snapshot::reply(ReplyTo,
                    llvm::ArrayRef(Errors.Errors).drop_front(ErrorsBefore));
}

} // namespace kpipe
