// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is instantiated for types of the user's can name the user's
// functions; what a library has for itself is not walked, see LibraryCalls.h.
#include "LibraryCalls.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

namespace {

struct FunctionsNamed : ConstDynamicRecursiveASTVisitor {
  llvm::SmallPtrSetImpl<const FunctionDecl *> &Named;

  explicit FunctionsNamed(llvm::SmallPtrSetImpl<const FunctionDecl *> &Named)
      : Named(Named) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    return take(E->getDecl());
  }
  bool VisitMemberExpr(const MemberExpr *E) override {
    return take(E->getMemberDecl());
  }

private:
  bool take(const ValueDecl *D) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (F && !F->getASTContext().getSourceManager().isInSystemHeader(
                 F->getLocation()))
      Named.insert(F->getCanonicalDecl());
    return true;
  }
};

} // namespace

void takeCallsOfLibrary(const Decl *D,
                        llvm::SmallPtrSetImpl<const FunctionDecl *> &Named) {
  FunctionsNamed Walk(Named);
  if (const auto *T = dyn_cast<ClassTemplateDecl>(D)) {
    for (const ClassTemplateSpecializationDecl *S : T->specializations())
      Walk.TraverseDecl(S);
  } else if (const auto *T = dyn_cast<FunctionTemplateDecl>(D)) {
    for (const FunctionDecl *S : T->specializations())
      Walk.TraverseDecl(S);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(D)) {
    for (const Decl *Inner : cast<DeclContext>(D)->decls())
      takeCallsOfLibrary(Inner, Named);
  }
}

} // namespace kpipe
