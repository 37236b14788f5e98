// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the tokens of each block with its statements: between two of them
// nothing may stand but comments, semicolons, directives, and what the
// preprocessor skipped.
#include "LostStatements.h"
#include "kpipe/LostText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace kpipe {
namespace {

class Comparison : public ConstDynamicRecursiveASTVisitor {
public:
  Comparison(ASTContext &Context, llvm::ArrayRef<SourceRange> Skipped)
      : SM(Context.getSourceManager()), Options(Context.getLangOpts()) {
    for (SourceRange R : Skipped) {
      auto [File, Begin] = SM.getDecomposedLoc(SM.getExpansionLoc(R.getBegin()));
      unsigned End = SM.getDecomposedLoc(SM.getExpansionLoc(R.getEnd())).second;
      SkippedIn[File].push_back({Begin, End});
    }
  }

  std::vector<SourceLocation> Lost;

  bool TraverseDecl(const Decl *D) override {
    if (D && !isa<TranslationUnitDecl>(D) &&
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitCompoundStmt(const CompoundStmt *C) override {
    if (C->getLBracLoc().isMacroID() || C->getRBracLoc().isMacroID()) {
      if (!compareInMacro(C))
        Lost.push_back(SM.getExpansionLoc(C->getLBracLoc()));
      return true;
    }
    SourceLocation At = C->getLBracLoc();
    for (const Stmt *S : C->body()) {
      if (SM.isBeforeInTranslationUnit(At, SM.getExpansionLoc(S->getBeginLoc())))
        compare(At, SM.getExpansionLoc(S->getBeginLoc()), beginsWithAttributes(S));
      SourceLocation End = SM.getExpansionRange(S->getEndLoc()).getEnd();
      if (SM.isBeforeInTranslationUnit(At, End))
        At = End;
    }
    compare(At, C->getRBracLoc(), /*Attributes=*/false);
    return true;
  }

  /// A branch or body that was lost becomes an empty statement.
  bool VisitNullStmt(const NullStmt *N) override {
    SourceLocation At = N->getSemiLoc();
    if (At.isMacroID() || N->hasLeadingEmptyMacro())
      return true;
    if (*SM.getCharacterData(At) != ';')
      Lost.push_back(At);
    return true;
  }

  /// So does a part of a loop's head become nothing.
  bool VisitForStmt(const ForStmt *F) override {
    SourceLocation Begin = F->getLParenLoc(), End = F->getRParenLoc();
    if (Begin.isMacroID() || End.isMacroID())
      return true;
    const void *Parts[] = {F->getInit(), F->getCond(), F->getInc()};
    unsigned Part = 0, Depth = 0;
    bool Any = false;
    auto Finish = [&](SourceLocation Where) {
      if (Part < 3 && Any && !Parts[Part])
        Lost.push_back(Where);
      Any = false;
      ++Part;
    };
    eachToken(Begin, End, [&](const Token &T) {
      if (T.is(tok::semi) && Depth == 0)
        return Finish(T.getLocation());
      Any = true;
      if (T.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
        ++Depth;
      else if (T.isOneOf(tok::r_paren, tok::r_brace, tok::r_square) && Depth)
        --Depth;
    });
    Finish(End);
    return true;
  }

private:
  const SourceManager &SM;
  const LangOptions &Options;
  llvm::DenseMap<FileID, std::vector<std::pair<unsigned, unsigned>>> SkippedIn;

  bool isSkipped(FileID File, unsigned Offset) const {
    auto Known = SkippedIn.find(File);
    return Known != SkippedIn.end() &&
           llvm::any_of(Known->second, [&](auto R) {
             return R.first <= Offset && Offset < R.second;
           });
  }

  /// The tokens between that of Begin and that of End.
  void eachToken(SourceLocation Begin, SourceLocation End,
                 llvm::function_ref<void(const Token &)> Visit) {
    auto [File, From] = SM.getDecomposedLoc(Begin);
    auto [Other, To] = SM.getDecomposedLoc(End);
    if (File != Other)
      return;
    llvm::StringRef Text = SM.getBufferData(File);
    From += Lexer::MeasureTokenLength(Begin, SM, Options);
    if (From >= To)
      return;
    Lexer Tokens(SM.getLocForStartOfFile(File), Options, Text.begin(),
                 Text.begin() + From, Text.end());
    bool Directive = false;
    Token T;
    while (!Tokens.LexFromRawLexer(T)) {
      unsigned Offset = SM.getDecomposedLoc(T.getLocation()).second;
      if (Offset >= To)
        return;
      if (T.isAtStartOfLine())
        Directive = T.is(tok::hash);
      if (!Directive && !isSkipped(File, Offset))
        Visit(T);
    }
  }

  /// Where a location stands in a macro's body: invalid if it does not.
  SourceLocation inBody(SourceLocation L, FileID Body, bool End) const {
    while (L.isMacroID() && SM.getFileID(L) != Body) {
      CharSourceRange Use = SM.getImmediateExpansionRange(L);
      L = End ? Use.getEnd() : Use.getBegin();
    }
    return L.isMacroID() ? SM.getSpellingLoc(L) : SourceLocation();
  }

  /// The same for a block that one macro's body holds, where it is defined.
  /// False if it cannot be compared there, or lost something.
  bool compareInMacro(const CompoundStmt *C) {
    FileID Body = SM.getFileID(C->getLBracLoc());
    if (!C->getLBracLoc().isMacroID() ||
        SM.getFileID(C->getRBracLoc()) != Body)
      return false;
    size_t Before = Lost.size();
    SourceLocation At = SM.getSpellingLoc(C->getLBracLoc());
    FileID File = SM.getFileID(At);
    if (!SM.getFileEntryRefForID(File)) // made of pasted tokens
      return false;
    for (const Stmt *S : C->body()) {
      SourceLocation Begin = inBody(S->getBeginLoc(), Body, false);
      SourceLocation End = inBody(S->getEndLoc(), Body, true);
      if (Begin.isInvalid() || End.isInvalid() || SM.getFileID(Begin) != File ||
          SM.getFileID(End) != File)
        return false;
      if (SM.isBeforeInTranslationUnit(At, Begin))
        compare(At, Begin, beginsWithAttributes(S));
      if (SM.isBeforeInTranslationUnit(At, End))
        At = End;
    }
    SourceLocation End = SM.getSpellingLoc(C->getRBracLoc());
    if (SM.getFileID(End) != File)
      return false;
    compare(At, End, /*Attributes=*/false);
    bool Whole = Lost.size() == Before;
    Lost.resize(Before); // the place that counts is that of the macro's use
    return Whole;
  }

  /// A declaration begins, for Clang, behind its first attributes.
  static bool beginsWithAttributes(const Stmt *S) {
    const auto *D = dyn_cast<DeclStmt>(S);
    return D && llvm::any_of(D->decls(), [](const Decl *X) {
             return X->hasAttrs();
           });
  }

  /// \param Attributes those of the next statement may stand there, too.
  void compare(SourceLocation Begin, SourceLocation End, bool Attributes) {
    SourceLocation First;
    bool Ended = false; // a lost statement would end here
    eachToken(Begin, End, [&](const Token &T) {
      if (First.isInvalid() && T.isNot(tok::semi))
        First = T.getLocation();
      else if (First.isValid())
        Ended |= T.isOneOf(tok::semi, tok::r_brace);
    });
    if (First.isValid() && (Ended || !Attributes))
      Lost.push_back(First);
  }
};

} // namespace

std::vector<SourceLocation>
findLostStatements(ASTContext &Context, llvm::ArrayRef<SourceRange> Skipped) {
  Comparison All(Context, Skipped);
  All.TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(All.Lost);
}

namespace {

/// Is a condition, or another expression, there without what it names? Those of
/// a launch are its arguments.
bool hidesNames(const Stmt *S) {
  if (!S || isa<CUDAKernelCallExpr>(S))
    return false;
  // `at::set(t);` declares a variable where nobody knows at::set.
  if (const auto *D = dyn_cast<DeclStmt>(S))
    if (llvm::any_of(D->decls(),
                     [](const Decl *One) { return One->isInvalidDecl(); }))
      return true;
  const auto *R = dyn_cast<RecoveryExpr>(S);
  return (R && R->subExpressions().empty()) ||
         llvm::any_of(S->children(), hidesNames);
}

class LossMarker : public ConstDynamicRecursiveASTVisitor {
public:
  LossMarker(const SourceManager &SM, llvm::ArrayRef<SourceLocation> Places)
      : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
    for (SourceLocation L : Places)
      Lost.push_back(SM.getExpansionLoc(L));
  }

  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() &&
        (hidesNames(F->getBody()) || hasLostPlace(F->getSourceRange())))
      markLostStatements(const_cast<FunctionDecl *>(F));
    return true;
  }

private:
  const SourceManager &SM;
  llvm::SmallVector<SourceLocation, 8> Lost;

  bool hasLostPlace(SourceRange Written) const {
    const SourceRange R = SM.getExpansionRange(Written).getAsRange();
    return llvm::any_of(Lost, [&](SourceLocation L) {
      return !SM.isBeforeInTranslationUnit(L, R.getBegin()) &&
             !SM.isBeforeInTranslationUnit(R.getEnd(), L);
    });
  }
};

} // namespace

void markFunctionsAround(llvm::ArrayRef<SourceLocation> Lost,
                         ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  LossMarker Marker(SM, Lost);
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!SM.isInSystemHeader(D->getLocation()))
      Marker.TraverseDecl(D);
}

} // namespace kpipe
