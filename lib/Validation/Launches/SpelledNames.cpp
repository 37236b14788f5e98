// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SpelledNames.h"
#include "Support/RawNames.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace kpipe {

std::vector<const Expr *> mentionsIn(const Decl *D, const Stmt *In) {
  NamesOfCode All([&](const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl() == D;
  });
  All.TraverseStmt(In);
  return std::move(All.Found);
}

bool spellsNowhereElse(const FunctionDecl *F, const VarDecl *V,
                       llvm::ArrayRef<const Expr *> Seen,
                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  llvm::DenseSet<SourceLocation> Places{SM.getSpellingLoc(V->getLocation())};
  for (const Expr *E : Seen)
    Places.insert(SM.getSpellingLoc(cast<DeclRefExpr>(E)->getLocation()));
  const FileID File = SM.getFileID(F->getBeginLoc());
  if (!F->getBeginLoc().isFileID() || !F->getEndLoc().isFileID() ||
      SM.getFileID(F->getEndLoc()) != File)
    return false;
  const llvm::StringRef Text = SM.getBufferData(File);
  Lexer Tokens(SM.getLocForStartOfFile(File), Context.getLangOpts(),
               Text.begin(), Text.begin() + SM.getFileOffset(F->getBeginLoc()),
               Text.end());
  Token T;
  unsigned Spelled = 0;
  while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof) &&
         !(F->getEndLoc() < T.getLocation()))
    Spelled += T.is(tok::raw_identifier) && rawName(T, Context) == V->getName();
  return Spelled == Places.size();
}

} // namespace kpipe
