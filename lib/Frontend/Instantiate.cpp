// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are analysed through their instantiations; this file sees to it that
// there is one where the user or default arguments say which. It must not
// know loops.
#include "Instantiate.h"
#include "kpipe/NamedInstances.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

namespace kpipe {

std::string instantiationText(llvm::ArrayRef<std::string> Names) {
  if (Names.empty())
    return "";
  std::string Text;
  unsigned Count = 0;
  for (const std::string &Name : Names) {
    // A host variable may hold a kernel's address; taking it instantiates the
    // body without spelling the parameters.
    Text += "\n#line " + std::to_string(Count + 1) + " \"" +
            InstantiateFileName.str() + "\"\n";
    Text += ("static auto *const " + InstanceName + llvm::Twine(Count++) +
             " = &" + Name + ";")
                .str();
  }
  return Text + "\n";
}

bool namesInstances(const clang::ASTContext &Context) {
  return !Context.getTranslationUnitDecl()
              ->lookup(&Context.Idents.get((InstanceName + "0").str()))
              .empty();
}

namespace {

/// Collects kernels' templates that nothing instantiates.
class TemplateFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit TemplateFinder(const clang::SourceManager &SM) : SM(SM) {}

  bool
  VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *Template) override {
    clang::FunctionDecl *Pattern = Template->getTemplatedDecl();
    if (Pattern->hasAttr<clang::CUDAGlobalAttr>() &&
        Pattern->isThisDeclarationADefinition() &&
        Template->specializations().empty() &&
        !SM.isInSystemHeader(Template->getLocation()))
      Found.push_back(Template);
    return true;
  }

  // Function bodies hold no templates; leave them out for speed.
  bool TraverseStmt(clang::Stmt *) override { return true; }

  std::vector<clang::FunctionTemplateDecl *> Found;

private:
  const clang::SourceManager &SM;
};

} // namespace

static bool allHaveDefaults(const clang::TemplateParameterList &Parameters) {
  for (const clang::NamedDecl *Parameter : Parameters) {
    if (Parameter->isParameterPack())
      return false;
    if (auto *Type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(Parameter)) {
      if (!Type->hasDefaultArgument())
        return false;
    } else if (auto *Value =
                   llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(Parameter)) {
      if (!Value->hasDefaultArgument())
        return false;
    } else {
      return false;
    }
  }
  return true;
}

void instantiateDefaults(clang::Sema &S) {
  clang::ASTContext &Context = S.getASTContext();
  const clang::SourceManager &SM = Context.getSourceManager();
  TemplateFinder Finder(SM);
  for (clang::Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!SM.isInSystemHeader(D->getLocation()))
      Finder.TraverseDecl(D);
  for (clang::FunctionTemplateDecl *Template : Finder.Found) {
    if (!allHaveDefaults(*Template->getTemplateParameters()))
      continue;
    clang::SourceLocation Where = Template->getLocation();
    clang::TemplateArgumentListInfo None(Where, Where);
    clang::Sema::CheckTemplateArgumentInfo Checked;
    if (S.CheckTemplateArgumentList(Template, Where, None, {},
                                    /*PartialTemplateArgs=*/false, Checked))
      continue;
    auto *Arguments = clang::TemplateArgumentList::CreateCopy(
        Context, Checked.CanonicalConverted);
    if (clang::FunctionDecl *Kernel =
            S.InstantiateFunctionDeclaration(Template, Arguments, Where))
      S.InstantiateFunctionDefinition(Where, Kernel, /*Recursive=*/true,
                                      /*DefinitionRequired=*/true);
  }
}

} // namespace kpipe
