// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrittenAround.h.
#include "WrittenAround.h"
#include "Support/PlaceOf.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

namespace {

/// Functions with a body around a place, without looking into bodies.
class AroundPlace : public ConstDynamicRecursiveASTVisitor {
public:
  AroundPlace(const SourceManager &SM, const Place &Around)
      : SM(SM), Around(Around) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseStmt(const Stmt *) override { return true; }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody() || F->isDependentContext())
      return true;
    const Place Begin = placeOf(F->getBeginLoc(), SM),
                End = placeOf(F->getBody()->getEndLoc(), SM);
    if (Begin.File == Around.File && Begin.Line <= Around.Line &&
        Around.Line <= End.Line)
      Found.push_back(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  const SourceManager &SM;
  const Place &Around;
};

} // namespace

std::vector<const FunctionDecl *> functionsAround(const ASTContext &Context,
                                                  const Place &Where) {
  AroundPlace All(Context.getSourceManager(), Where);
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      All.TraverseDecl(D);
  return std::move(All.Found);
}

} // namespace kpipe
