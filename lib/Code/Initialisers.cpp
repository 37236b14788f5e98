// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in initialisers, and in what they call; see Initialisers.h.
#include "Initialisers.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

struct Named : ConstDynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const Decl *, 8> Seen;
  bool Found = false;

  void variable(const VarDecl *V) {
    if (Found || !V->hasGlobalStorage() || !Seen.insert(V).second)
      return;
    if (V->hasAttr<CUDAConstantAttr>() || V->hasAttr<CUDASharedAttr>())
      Found = true;
    else if (const Expr *Init = V->getAnyInitializer())
      TraverseStmt(Init);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      variable(V);
    else if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
      function(F);
    return !Found;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (const auto *V = dyn_cast<VarDecl>(M->getMemberDecl()))
      variable(V);
    else if (const auto *F = dyn_cast<FunctionDecl>(M->getMemberDecl()))
      function(F);
    return !Found;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    function(C->getConstructor());
    return !Found;
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *D) override {
    return TraverseStmt(D->getExpr());
  }
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *D) override {
    return TraverseStmt(D->getExpr());
  }
  void function(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (Found || !F->hasBody(Definition) || !Seen.insert(Definition).second)
      return;
    TraverseStmt(Definition->getBody());
    if (const auto *C = dyn_cast<CXXConstructorDecl>(Definition))
      for (const CXXCtorInitializer *I : C->inits())
        TraverseStmt(I->getInit());
  }
};

} // namespace

bool isInitialisedElsewhere(const VarDecl *V) {
  if (!V->hasGlobalStorage() || V->hasAttr<CUDASharedAttr>())
    return false;
  Named Names;
  if (const Expr *Init = V->getAnyInitializer())
    Names.TraverseStmt(Init);
  return Names.Found;
}

} // namespace kpipe
