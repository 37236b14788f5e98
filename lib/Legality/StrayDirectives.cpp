// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stray directives, see StrayDirectives.h: all comments of the file that begin
// with kpipe's name, less those that stand above a loop or a function and are
// understood there.

#include "StrayDirectives.h"
#include "Options/Directives.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// One comment or pragma that begins with kpipe's name.
struct Named {
  unsigned Offset;
  llvm::StringRef Said; ///< behind the colon, part of the file's buffer
  bool Exact;           ///< spelled `kpipe:`
};

/// Is what a comment says meant for kpipe? Prose may begin with the name, but
/// has no colon behind it, and does not consist of directives.
std::optional<Named> named(llvm::StringRef Text, unsigned Offset) {
  llvm::StringRef Said = Text.ltrim("/*! \t\r\n");
  if (!Said.take_front(5).equals_insensitive("kpipe"))
    return std::nullopt;
  bool Exact = Said.starts_with("kpipe:");
  Said = Said.drop_front(5);
  llvm::StringRef Rest = Said.ltrim(" \t");
  if (Rest.starts_with("::"))
    return std::nullopt; // code
  if (Rest.consume_front(":"))
    return Named{Offset, Exact ? Said.drop_front() : Rest, Exact};
  if (Rest.size() == Said.size() ||
      !saysDirectives(Rest.rtrim("*/ \t\r\n").lower()))
    return std::nullopt;
  return Named{Offset, Rest, false};
}

std::vector<Named> namedIn(llvm::StringRef Text, const LangOptions &Options) {
  std::vector<Named> Found;
  Lexer L(SourceLocation::getFromRawEncoding(1), Options, Text.data(),
          Text.data(), Text.data() + Text.size());
  L.SetCommentRetentionState(true);
  for (Token T; !L.LexFromRawLexer(T);) {
    unsigned Offset = T.getLocation().getRawEncoding() - 1;
    llvm::StringRef Spelled = Text.substr(Offset, T.getLength());
    if (T.is(tok::comment)) {
      if (auto N = named(Spelled, Offset))
        Found.push_back(*N);
    } else if (T.is(tok::hash) && T.isAtStartOfLine()) {
      llvm::StringRef Line =
          Text.substr(Offset + 1).take_until([](char C) { return C == '\n'; });
      Line = Line.ltrim(" \t");
      if (Line.consume_front("pragma") &&
          llvm::getToken(Line).first.equals_insensitive("kpipe"))
        Found.push_back({Offset, Line, false});
    }
  }
  return Found;
}

/// Where each directive that something reads begins in the file's buffer.
struct Read : ConstDynamicRecursiveASTVisitor {
  const ASTContext &Context;
  const SourceManager &SM;
  FileID File;
  llvm::DenseSet<const char *> Begins;
  std::vector<Directives::Unknown> Unknown;
  Read(const ASTContext &Context, FileID File)
      : Context(Context), SM(Context.getSourceManager()), File(File) {}

  void above(SourceLocation Where) {
    if (Where.isInvalid() || SM.getFileID(SM.getExpansionLoc(Where)) != File)
      return;
    bool IsNew = false;
    for (llvm::StringRef Line : directiveLines(Where, SM))
      IsNew |= Begins.insert(Line.data()).second;
    if (IsNew)
      llvm::append_range(Unknown,
                         directivesAbove(Where, Context).NotUnderstood);
  }
  bool VisitForStmt(const ForStmt *S) override { return above(S->getBeginLoc()), true; }
  bool VisitWhileStmt(const WhileStmt *S) override { return above(S->getBeginLoc()), true; }
  bool VisitDoStmt(const DoStmt *S) override { return above(S->getBeginLoc()), true; }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->isThisDeclarationADefinition())
      above(beginOf(F));
    return true;
  }
};

} // namespace

std::vector<StrayDirective> strayDirectives(FileID File,
                                            const ASTContext &Context,
                                            llvm::ArrayRef<SourceRange> Skipped) {
  const SourceManager &SM = Context.getSourceManager();
  bool Invalid = false;
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid || !Text.contains_insensitive("kpipe"))
    return {};
  std::vector<Named> All = namedIn(Text, Context.getLangOpts());
  if (All.empty())
    return {};
  Read R(Context, File);
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (SM.getFileID(SM.getExpansionLoc(D->getBeginLoc())) == File)
      R.TraverseDecl(D);
  std::vector<StrayDirective> Found;
  for (const Directives::Unknown &U : R.Unknown)
    Found.push_back({U.Where, U.Why});
  for (const Named &N : All) {
    SourceLocation Where = SM.getComposedLoc(File, N.Offset);
    if ((N.Exact && R.Begins.count(N.Said.data())) ||
        llvm::any_of(Skipped, [&](SourceRange S) {
          return SM.isPointWithin(Where, S.getBegin(), S.getEnd());
        }))
      continue;
    Found.push_back({Where, N.Exact ? msg::directive_out_of_place
                                    : msg::looks_like_directive});
  }
  return Found;
}

} // namespace kpipe
