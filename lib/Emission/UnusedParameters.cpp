// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnusedParameters.h. The clone's text decides, with what macros may add to
// it.
#include "UnusedParameters.h"
#include "ArgumentLists.h"
#include "Code/AstUtils.h"
#include "Code/ComputesOnly.h"
#include "SourceTexts.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Parameters that the text of a macro names, which the file does not show.
struct InMacros : ConstDynamicRecursiveASTVisitor {
  const SourceManager &SM;
  llvm::StringSet<> Names;
  explicit InMacros(const SourceManager &SM) : SM(SM) {}
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getLocation().isMacroID() &&
        !SM.isMacroArgExpansion(D->getLocation()))
      Names.insert(D->getDecl()->getName());
    return true;
  }
};

/// Does a call name all arguments of the template, so that none is deduced?
bool deducesNothing(const CallExpr *Call, const FunctionDecl *Written) {
  const FunctionTemplateDecl *T = Written->getDescribedFunctionTemplate();
  if (!T)
    return true;
  if (T->getTemplateParameters()->hasParameterPack())
    return false;
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  unsigned Spelled = 0;
  if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
    Spelled = D->getNumTemplateArgs();
  else if (const auto *M = dyn_cast<MemberExpr>(Callee))
    Spelled = M->getNumTemplateArgs();
  return Spelled == T->getTemplateParameters()->size();
}

} // namespace

std::vector<unsigned> unusedParameters(const FunctionDecl *Helper,
                                       const CallExpr *Call,
                                       llvm::StringRef Body,
                                       const SourceText &Its,
                                       const SourceText &Source) {
  const FunctionDecl *W = written(Helper);
  const auto Parameters = parameterList(W, Its);
  const auto Arguments = argumentList(Call, Source);
  if (!Parameters || !Arguments || !Parameters->Plain || !Arguments->Plain ||
      Helper->getNumParams() != W->getNumParams())
    return {};
  const ASTContext &Context = Source.context();
  const LangOptions &Language = Context.getLangOpts();
  InMacros Hidden(Context.getSourceManager());
  Hidden.TraverseStmt(W->getBody());
  const auto Named = identifiersOf(Body, Language);
  const unsigned BodyAt = Its.statement(W->getBody()).Begin;
  const bool Deduces = !deducesNothing(Call, W);
  const auto Given = givenTo(Call);
  std::vector<unsigned> Unused;
  for (unsigned I = 0; I != W->getNumParams(); ++I) {
    const ParmVarDecl *P = W->getParamDecl(I);
    // Types of others, and what is returned, may ask for it too.
    const Range Own = Parameters->Items[I];
    const std::string Others =
        (Its.at({Parameters->Open, Own.Begin}) + Its.at({Own.End, BodyAt}))
            .str();
    const bool Used =
        !P->getName().empty() &&
        (Named.contains(P->getName()) || Hidden.Names.contains(P->getName()) ||
         identifiersOf(Others, Language).contains(P->getName()));
    if (Used || (Deduces && P->getType()->isDependentType()) ||
        Helper->getParamDecl(I)->getType().isDestructedType() ||
        I >= Given.size())
      continue;
    const Expr *A = Given[I];
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(A))
      A = D->getExpr();
    if (computesOnly(A))
      Unused.push_back(I);
  }
  return Unused;
}

} // namespace kpipe
