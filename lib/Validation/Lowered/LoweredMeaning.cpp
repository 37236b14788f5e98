// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are compared: all bodies, instances included, on whose lines
// the text differs. A line that is in none of them must not. Then what is in
// flight is followed through them, and through those that call one of which
// waits went. See kpipe/LoweredMeaning.h.
#include "kpipe/LoweredMeaning.h"
#include "LoweredCode.h"
#include "Support/PlaceOf.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace clang;

namespace kpipe {

namespace {

/// Functions with a body in the files, without looking into bodies.
class NamesFinder : public ConstDynamicRecursiveASTVisitor {
public:
  NamesFinder(const SourceManager &SM, const std::vector<std::string> &Files)
      : SM(SM), Files(Files) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseStmt(const Stmt *) override { return true; }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() &&
        llvm::is_contained(Files, placeOf(F->getLocation(), SM).File))
      Found.push_back(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  const SourceManager &SM;
  const std::vector<std::string> &Files;
};

std::vector<const FunctionDecl *>
functionsIn(const ASTContext &Context, const std::vector<std::string> &Files) {
  NamesFinder All(Context.getSourceManager(), Files);
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      All.TraverseDecl(D);
  return std::move(All.Found);
}

llvm::SmallVector<llvm::StringRef, 0> linesOf(const std::string &File,
                                              SourceManager &SM) {
  llvm::SmallVector<llvm::StringRef, 0> Lines;
  if (auto Entry = SM.getFileManager().getOptionalFileRef(File))
    if (auto Buffer = SM.getMemoryBufferForFileOrNone(*Entry))
      Buffer->getBuffer().split(Lines, '\n');
  return Lines;
}

class UnitComparison {
public:
  UnitComparison(ASTContext &Author, ASTContext &Lowered,
                 const std::vector<std::string> &Files)
      : Author(Author), Lowered(Lowered), Files(Files) {
    for (const std::string &File : Files)
      readLines(File);
  }

  std::vector<ChangedByLowering> run() {
    for (const FunctionDecl *F : functionsIn(Lowered, Files))
      if (differs(F, Lowered))
        New[keyOf(F, Lowered)] = F;
    const std::vector<const FunctionDecl *> All = functionsIn(Author, Files);
    for (const FunctionDecl *F : All)
      if (differs(F, Author) && !WrongText)
        compare(F);
    for (const FunctionDecl *F : All)
      if (Wrong.empty())
        follow(F);
    if (Wrong.empty() && !Lines.empty())
      Wrong.push_back({{Lines.begin()->first, Lines.begin()->second, 1}, {}});
    return std::move(Wrong);
  }

private:
  ASTContext &Author, &Lowered;
  const std::vector<std::string> &Files;
  /// The lines that differ, and those that were found in no function yet.
  std::set<std::pair<std::string, unsigned>> Differing, Lines;
  using Key = std::tuple<std::string, unsigned, std::string>;
  std::map<Key, const FunctionDecl *> New;
  std::vector<ChangedByLowering> Wrong;
  bool WrongText = false; ///< lines are not where they were
  /// The author's functions that were compared, and what is gone of them.
  struct Followed {
    std::unique_ptr<Tree> Code;
    std::set<const Tree *> Gone;
  };
  std::map<const FunctionDecl *, Followed> Compared;
  PlainFunctions Plain;

  void blame(const Tree *At, const FunctionDecl *In) {
    auto [Begin, End] = extentOf(In, Author);
    ChangedByLowering &New = Wrong.emplace_back();
    New.Where = At && At->Origin ? placeOf(At->Origin->getBeginLoc(),
                                           Author.getSourceManager())
                                 : Begin;
    if (In->hasAttr<CUDAGlobalAttr>() && !In->isTemplateInstantiation())
      New.Kernel = {Begin.Line, End};
  }

  void follow(const FunctionDecl *F) {
    auto Known = Compared.find(F);
    if (Known == Compared.end()) {
      if (!callsWithoutWaits(F->getBody(), Plain))
        return;
      Known = Compared.insert({F, Followed{treeOf(F, Author), {}}}).first;
    }
    const Followed &One = Known->second;
    if (const Tree *At = waitThatIsMissed(*One.Code, Author, One.Gone, Plain))
      blame(At, F);
  }

  void readLines(const std::string &File) {
    auto Old = linesOf(File, Author.getSourceManager()),
         Now = linesOf(File, Lowered.getSourceManager());
    if (Old.size() != Now.size() || Old.empty()) {
      Wrong.push_back({{File, 1, 1}, {}});
      WrongText = true;
      return;
    }
    for (unsigned I = 0; I != Old.size(); ++I)
      if (Old[I] != Now[I])
        Differing.insert({File, I + 1});
    Lines = Differing;
  }

  static std::pair<Place, unsigned> extentOf(const FunctionDecl *F,
                                             const ASTContext &In) {
    const SourceManager &SM = In.getSourceManager();
    return {placeOf(F->getBeginLoc(), SM),
            placeOf(F->getBody()->getEndLoc(), SM).Line};
  }

  bool differs(const FunctionDecl *F, const ASTContext &In) const {
    auto [Begin, End] = extentOf(F, In);
    auto First = Differing.lower_bound({Begin.File, Begin.Line});
    return First != Differing.end() && First->first == Begin.File &&
           First->second <= End;
  }

  static Key keyOf(const FunctionDecl *F, ASTContext &In) {
    return {extentOf(F, In).first.File, extentOf(F, In).first.Line,
            treeOf(F, In)->Name};
  }

  void compare(const FunctionDecl *F) {
    auto [Begin, End] = extentOf(F, Author);
    auto Other = New.find(keyOf(F, Author));
    if (Other == New.end())
      return blame(nullptr, F);
    auto Old = treeOf(F, Author), Now = treeOf(Other->second, Lowered);
    LoweredCode Code = compareLowered(*Old, Author, *Now, Lowered);
    if (Code.Differs)
      blame(Code.Differs, F);
    else if (const Tree *At = meetingThatIsMissed(*Old, Author, Code))
      blame(At, F);
    else if (const Tree *At = rolesThatAreMixed(*Old, Author, Code))
      blame(At, F);
    else if (const Tree *At = phaseThatIsMissed(*Old, Author, Code.Gone))
      blame(At, F);
    // Whatever it calls counts, plain or not.
    if (!copiesAsynchronously(Other->second->getBody(), {}))
      Plain[F] = !Code.Gone.empty();
    Compared[F] = {std::move(Old), std::move(Code.Gone)};
    for (unsigned L = Begin.Line; L <= End; ++L)
      Lines.erase({Begin.File, L});
  }
};

} // namespace

std::vector<ChangedByLowering>
findChangedByLowering(ASTContext &Author, ASTContext &Lowered,
                      const std::vector<std::string> &Files) {
  return UnitComparison(Author, Lowered, Files).run();
}

} // namespace kpipe
