// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are compared: all bodies, instances included, that hold one
// of the loops. A line that differs is in one of them. See
// kpipe/RestagedMeaning.h.
#include "kpipe/RestagedMeaning.h"
#include "RestagedCode.h"
#include "Support/PlaceOf.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Functions of the main file with a body, without looking into bodies.
class MainFunctions : public ConstDynamicRecursiveASTVisitor {
public:
  explicit MainFunctions(const SourceManager &SM) : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseStmt(const Stmt *) override { return true; }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() &&
        SM.isInMainFile(SM.getExpansionLoc(F->getLocation())))
      Found.push_back(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  const SourceManager &SM;
};

std::vector<const FunctionDecl *> mainFunctions(const ASTContext &Context) {
  MainFunctions All(Context.getSourceManager());
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      All.TraverseDecl(D);
  return std::move(All.Found);
}

class RestagingCheck {
public:
  RestagingCheck(ASTContext &Author, ASTContext &OneStage,
                 llvm::ArrayRef<Place> Loops)
      : Author(Author), OneStage(OneStage), Loops(Loops),
        SM(Author.getSourceManager()) {}

  std::vector<NotRestaged> run() {
    if (!readLines())
      return all();
    const auto New = mainFunctions(OneStage);
    for (const FunctionDecl *F : mainFunctions(Author)) {
      const auto Lines = linesOf(F, SM);
      const unsigned Begin = Lines.first, End = Lines.second;
      if (!holds(Begin, End))
        continue;
      auto Old = treeOf(F, Author);
      auto Other = llvm::find_if(New, [&](const FunctionDecl *G) {
        return linesOf(G, OneStage.getSourceManager()).first == Begin &&
               treeOf(G, OneStage)->Name == Old->Name;
      });
      if (Other == New.end())
        return all();
      compare(*Old, *treeOf(*Other, OneStage), Begin, End);
      for (unsigned L = Begin; L <= End; ++L)
        Differing.erase(L);
    }
    if (Wrong.empty() && !Differing.empty())
      return all();
    return std::move(Wrong);
  }

private:
  ASTContext &Author, &OneStage;
  llvm::ArrayRef<Place> Loops;
  const SourceManager &SM;
  std::set<unsigned> Differing;
  std::vector<NotRestaged> Wrong;

  std::vector<NotRestaged> all() const {
    std::vector<NotRestaged> All;
    for (const Place &P : Loops)
      All.push_back({P, P, {msg::proof_code}});
    return All;
  }

  static std::pair<unsigned, unsigned> linesOf(const FunctionDecl *F,
                                               const SourceManager &SM) {
    return {placeOf(F->getBeginLoc(), SM).Line,
            placeOf(F->getBody()->getEndLoc(), SM).Line};
  }

  bool holds(unsigned Begin, unsigned End) const {
    return llvm::any_of(Loops, [&](const Place &P) {
      return Begin <= P.Line && P.Line <= End;
    });
  }

  bool readLines() {
    llvm::SmallVector<llvm::StringRef, 0> Old, Now;
    const SourceManager &Other = OneStage.getSourceManager();
    SM.getBufferData(SM.getMainFileID()).split(Old, '\n');
    Other.getBufferData(Other.getMainFileID()).split(Now, '\n');
    if (Old.size() != Now.size())
      return false;
    for (unsigned I = 0; I != Old.size(); ++I)
      if (Old[I] != Now[I])
        Differing.insert(I + 1);
    return true;
  }

  void compare(const Tree &Old, const Tree &Now, unsigned Begin, unsigned End) {
    auto IsLoop = [&](const Tree &T) {
      return T.Origin && llvm::any_of(Loops, [&](const Place &P) {
               return sameLine(P, placeOf(T.Origin->getBeginLoc(), SM));
             });
    };
    auto Fault = compareRestaged(Old, Author, Now, OneStage, IsLoop);
    if (!Fault)
      return;
    for (const Place &P : Loops)
      if (Begin <= P.Line && P.Line <= End)
        Wrong.push_back({P,
                         Fault->At->Origin
                             ? placeOf(Fault->At->Origin->getBeginLoc(), SM)
                             : P,
                         Fault->Why});
  }
};

} // namespace

std::vector<NotRestaged> findChangedByRestaging(ASTContext &Author,
                                                ASTContext &OneStage,
                                                llvm::ArrayRef<Place> Loops) {
  return RestagingCheck(Author, OneStage, Loops).run();
}

} // namespace kpipe
