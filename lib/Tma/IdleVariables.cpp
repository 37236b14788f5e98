// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IdleVariables.h. The text is asked besides the tree, which has no
// branches that an instance leaves out.
#include "IdleVariables.h"
#include "Code/ComputesOnly.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A variable that may go, where it is declared and where it is named.
struct LocalVariable {
  const VarDecl *Var;
  const DeclStmt *In;
  Range Text; ///< from its name on
};

class IdleFinder : public ConstDynamicRecursiveASTVisitor {
public:
  IdleFinder(const FunctionDecl *F, llvm::ArrayRef<Range> Gone,
             const llvm::StringSet<> &New, const SourceText &Source)
      : Source(Source), New(New), Away(Gone) {
    TraverseStmt(F->getBody());
    // What is declared in a text that goes has gone with it.
    llvm::erase_if(
        All, [&](const LocalVariable &V) { return isAway(V.Text.Begin); });
    findWords(Source.statement(F->getBody()));
  }

  IdleVariables run() {
    std::vector<const LocalVariable *> Idle;
    for (bool More = true; More;) {
      More = false;
      for (const LocalVariable &V : All)
        if (!llvm::is_contained(Idle, &V) && isIdle(V)) {
          Idle.push_back(&V);
          Away.push_back(V.Text);
          More = true;
        }
    }
    return declarations(Idle);
  }

  bool VisitCompoundStmt(const CompoundStmt *C) override {
    for (const Stmt *S : C->body())
      if (const auto *D = dyn_cast<DeclStmt>(S))
        candidates(*D);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    Mentions[E->getDecl()].push_back(Source.expansionOffset(E->getLocation()));
    return true;
  }

private:
  const SourceText &Source;
  const llvm::StringSet<> &New;
  std::vector<Range> Away;
  std::vector<LocalVariable> All;
  llvm::DenseMap<const Decl *, llvm::SmallVector<unsigned, 4>> Mentions;
  /// Where the function has each word.
  llvm::StringMap<llvm::SmallVector<unsigned, 4>> Words;

  void candidates(const DeclStmt &D) {
    if (D.getBeginLoc().isMacroID() || D.getEndLoc().isMacroID())
      return;
    for (const Decl *One : D.decls()) {
      const auto *V = dyn_cast<VarDecl>(One);
      if (!V || !V->hasLocalStorage() || V->hasAttr<CUDASharedAttr>() ||
          !V->getIdentifier() || isa<DecompositionDecl>(V) ||
          V->getLocation().isMacroID() || V->getEndLoc().isMacroID() ||
          V->getType().isDestructedType() ||
          (V->hasInit() && !computesOnly(V->getInit())))
        continue;
      All.push_back(
          {V,
           &D,
           {Source.expansionOffset(V->getLocation()),
            Source.tokenEnd(Source.expansionOffset(V->getEndLoc()))}});
    }
  }

  void findWords(Range In) {
    const std::string Text =
        Source.at(In).str(); // the lexer wants a final null
    Lexer Lex(SourceLocation(), Source.context().getLangOpts(), Text.data(),
              Text.data(), Text.data() + Text.size());
    Token T;
    for (bool End = false; !End;) {
      End = Lex.LexFromRawLexer(T);
      if (T.is(tok::raw_identifier))
        Words[T.getRawIdentifier()].push_back(
            In.Begin + unsigned(Lex.getBufferLocation() - Text.data()) -
            T.getLength());
    }
  }

  bool isAway(unsigned Offset) const {
    return llvm::any_of(Away,
                        [&](const Range &R) { return R.contains(Offset); });
  }

  /// Was it used, and is all that used it away?
  bool isIdle(const LocalVariable &V) const {
    auto Named = Mentions.find(V.Var);
    auto Written = Words.find(V.Var->getName());
    return Named != Mentions.end() && Written != Words.end() &&
           !New.contains(V.Var->getName()) &&
           llvm::all_of(Named->second,
                        [&](unsigned At) { return isAway(At); }) &&
           llvm::all_of(Written->second, [&](unsigned At) {
             return At == V.Text.Begin || isAway(At);
           });
  }

  IdleVariables declarations(llvm::ArrayRef<const LocalVariable *> Idle) const {
    IdleVariables Found;
    llvm::SmallVector<const DeclStmt *, 4> Seen;
    for (const LocalVariable *V : Idle) {
      if (llvm::is_contained(Seen, V->In))
        continue;
      Seen.push_back(V->In);
      const auto IsIdle = [&](const Decl *D) {
        return llvm::any_of(
            Idle, [&](const LocalVariable *I) { return I->Var == D; });
      };
      if (llvm::all_of(V->In->decls(), IsIdle))
        Found.Whole.push_back(V->In);
      else
        leaveOut(*V->In, IsIdle, Found);
    }
    return Found;
  }

  /// `const int r = t / 8, c = t % 8;` without one of them, on one line, where
  /// nothing but a comma is between what each declares.
  void leaveOut(const DeclStmt &D, llvm::function_ref<bool(const Decl *)> Goes,
                IdleVariables &Found) const {
    std::vector<Range> Items;
    std::vector<bool> Away;
    for (const Decl *One : D.decls()) {
      const Range R{Source.expansionOffset(One->getLocation()),
                    Source.tokenEnd(Source.expansionOffset(One->getEndLoc()))};
      if (!Items.empty() &&
          Source.at({Items.back().End, R.Begin}).trim(" ") != ",")
        return;
      Items.push_back(R);
      Away.push_back(Goes(One));
    }
    if (Source.at({Items.front().Begin, Items.back().End}).contains('\n'))
      return;
    const unsigned Kept = unsigned(llvm::find(Away, false) - Away.begin());
    if (Kept)
      Found.Parts.push_back(
          {Items[0].Begin, Items[Kept].Begin - Items[0].Begin, ""});
    for (unsigned I = Kept + 1; I < Items.size(); ++I)
      if (Away[I])
        Found.Parts.push_back(
            {Items[I - 1].End, Items[I].End - Items[I - 1].End, ""});
  }
};

} // namespace

IdleVariables idleVariables(const FunctionDecl *F, llvm::ArrayRef<Range> Gone,
                            const llvm::StringSet<> &New,
                            const SourceText &Source) {
  return IdleFinder(F, Gone, New, Source).run();
}

} // namespace kpipe
