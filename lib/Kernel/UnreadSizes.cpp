// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches have blocks of another size where the host's pass, or nvcc,
// reads the text, see UnreadText.h: the size is a constant here, but made of
// macros or of text that the passes read differently.
#include "Support/RawNames.h"
#include "UnreadText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

/// Looks at the text of an expression and of all that it names.
class SizeWalker : public ConstDynamicRecursiveASTVisitor {
public:
  explicit SizeWalker(const UnreadText &Text) : Text(Text) {}

  bool Differs = false;

  void look(const Expr *Size) {
    read(Size->getSourceRange());
    TraverseStmt(Size);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    enter(D->getDecl());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    enter(M->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    enter(C->getConstructor());
    return true;
  }
  bool VisitSubstNonTypeTemplateParmExpr(
      const SubstNonTypeTemplateParmExpr *S) override {
    // Where the argument stands is not known any more.
    Differs |= !Text.Varying.empty() && hasStretches();
    return true;
  }

private:
  const UnreadText &Text;
  llvm::SmallPtrSet<const Decl *, 8> Seen;

  bool hasStretches() const {
    return llvm::any_of(Text.Varying,
                        [](const auto &Of) { return !Of.second.empty(); });
  }

  void enter(const ValueDecl *D) {
    if (!Seen.insert(D).second || Text.SM.isInSystemHeader(D->getLocation()))
      return;
    read(D->getSourceRange());
    if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
      TraverseStmt(V->getInit());
    const FunctionDecl *Definition = nullptr;
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->hasBody(Definition)) {
      read(Definition->getSourceRange());
      TraverseStmt(Definition->getBody());
    }
  }

  void read(SourceRange Range) {
    const SourceManager &SM = Text.SM;
    auto [File, From] =
        SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
    auto [Other, To] =
        SM.getDecomposedLoc(SM.getExpansionRange(Range.getEnd()).getEnd());
    bool Invalid = File != Other;
    llvm::StringRef All = Invalid ? "" : SM.getBufferData(File, &Invalid);
    if (Invalid || From > To || To >= All.size()) {
      Differs = true;
      return;
    }
    if (auto It = Text.Varying.find(File); It != Text.Varying.end())
      for (auto [Begin, End] : It->second)
        Differs |= Begin <= To && From < End;
    Lexer Tokens(SM.getLocForStartOfFile(File), Text.Context.getLangOpts(),
                 All.begin(), All.begin() + From, All.end());
    Token T;
    while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof) &&
           SM.getFileOffset(T.getLocation()) <= To)
      Differs |= T.is(tok::raw_identifier) &&
                 Text.Varies.contains(rawName(T, Text.Context));
  }
};

void UnreadText::findVaryingMacros() {
  for (const auto &Name : OfPass)
    Varies.insert(Name.getKey());
  for (bool More = true; More;) {
    More = false;
    for (const auto &Entry : Words)
      if (Varies.contains(Entry.getKey()))
        for (const Word &W : Entry.second)
          More |= W.InMacro && Varies.insert(W.Macro).second;
  }
}

void UnreadText::markUncertainSizes(LaunchIndex &Launches) const {
  for (auto &Of : Launches.Of)
    for (Launch &L : Of.second) {
      SizeWalker Walker(*this);
      if (L.CertainBlock)
        Walker.look(L.Size);
      if (Walker.Differs)
        L.CertainBlock.reset();
    }
}

} // namespace kpipe
