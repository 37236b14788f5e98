// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that a parse of the result is asked for, found by their names
// and written as text, see kpipe/Validation.h.
#include "Tree.h"
#include "kpipe/Validation.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// Finds functions with a body by name, instantiations included, without
/// looking into bodies.
class FunctionFinder : public ConstDynamicRecursiveASTVisitor {
public:
  FunctionFinder(llvm::StringRef Wanted) {
    ShouldVisitTemplateInstantiations = true;
    llvm::SmallVector<llvm::StringRef, 8> Lines;
    Wanted.split(Lines, '\n', -1, false);
    for (llvm::StringRef Line : Lines)
      Names.insert(Line);
    for (llvm::StringRef Line : Lines)
      Last.insert(Line.rsplit("::").second.empty() ? Line
                                                   : Line.rsplit("::").second);
  }
  bool TraverseStmt(const Stmt *) override { return true; }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    // An operator has a name too, but no identifier.
    if (!F->doesThisDeclarationHaveABody() || F->isDependentContext() ||
        !Last.contains(F->getIdentifier() ? F->getName().str()
                                          : F->getNameAsString()) ||
        !Names.contains(F->getQualifiedNameAsString()))
      return true;
    Found.push_back(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  llvm::StringSet<> Names, Last;
};

} // namespace

std::string describeFunctions(ASTContext &Context, llvm::StringRef Wanted) {
  FunctionFinder F(Wanted);
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      F.TraverseDecl(D);
  std::string Text;
  for (const FunctionDecl *D : F.Found)
    writeTree(*treeOf(D, Context), Text);
  return Text;
}

} // namespace kpipe
