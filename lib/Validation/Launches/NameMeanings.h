// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What names that are spelled like a kernel's mean. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_NAMEMEANINGS_H
#define KPIPE_LIB_VALIDATION_NAMEMEANINGS_H

#include "GivenBytes.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace kpipe {

/// Where the parse read a name, and whether it meant the kernel.
class Meanings final : public clang::ConstDynamicRecursiveASTVisitor {
public:
  /// \param System looks at headers that are none of the author's, and at no
  /// other text: parameters are called `kernel` there.
  Meanings(const clang::FunctionDecl *Kernel, clang::ASTContext &Context,
           bool System)
      : Kernel(Kernel), Name(Kernel->getIdentifier()),
        SM(Context.getSourceManager()) {
    const clang::TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
    auto Look = [&](const clang::Decl *D) {
      if (SM.isInSystemHeader(D->getLocation()) == System)
        TraverseDecl(D);
    };
    // What came precompiled is the system's.
    if (System)
      llvm::for_each(Unit->decls(), Look);
    else
      llvm::for_each(Unit->noload_decls(), Look);
  }

  bool isKernel(clang::SourceLocation L) const { return Kernels.count(L); }
  bool isOther(clang::SourceLocation L) const {
    return Others.count(L) && !Kernels.count(L);
  }

  bool VisitNamedDecl(const clang::NamedDecl *D) override {
    return D->getIdentifier() != Name || other(D->getLocation());
  }
  bool VisitDeclRefExpr(const clang::DeclRefExpr *D) override {
    if (D->getDecl()->getIdentifier() == Name)
      meant(D->getDecl(), D->getLocation());
    return true;
  }
  bool VisitOverloadExpr(const clang::OverloadExpr *O) override {
    if (O->getName().getAsIdentifierInfo() == Name)
      for (const clang::NamedDecl *D : O->decls())
        meant(D->getUnderlyingDecl(), O->getNameLoc());
    return true;
  }
  bool VisitMemberExpr(const clang::MemberExpr *M) override {
    return other(M->getMemberLoc());
  }
  bool VisitCXXDependentScopeMemberExpr(
      const clang::CXXDependentScopeMemberExpr *M) override {
    return other(M->getMemberLoc());
  }
  bool VisitDependentScopeDeclRefExpr(
      const clang::DependentScopeDeclRefExpr *D) override {
    return other(D->getLocation());
  }
  bool VisitTypeLoc(clang::TypeLoc T) override {
    return other(T.getBeginLoc()) && other(T.getEndLoc());
  }
  bool VisitLabelStmt(const clang::LabelStmt *L) override {
    return other(L->getIdentLoc());
  }
  bool VisitGotoStmt(const clang::GotoStmt *G) override {
    return other(G->getLabelLoc());
  }
  bool
  TraverseConstructorInitializer(const clang::CXXCtorInitializer *I) override {
    other(I->getMemberLocation());
    return clang::ConstDynamicRecursiveASTVisitor::
        TraverseConstructorInitializer(I);
  }
  bool TraverseLambdaCapture(const clang::LambdaExpr *L,
                             const clang::LambdaCapture *C,
                             const clang::Expr *Init) override {
    other(C->getLocation());
    return clang::ConstDynamicRecursiveASTVisitor::TraverseLambdaCapture(L, C,
                                                                         Init);
  }
  bool
  TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc N) override {
    if (N)
      other(N.getLocalBeginLoc());
    return clang::ConstDynamicRecursiveASTVisitor::
        TraverseNestedNameSpecifierLoc(N);
  }

private:
  const clang::FunctionDecl *Kernel;
  const clang::IdentifierInfo *Name;
  const clang::SourceManager &SM;
  std::set<clang::SourceLocation> Kernels, Others;

  bool other(clang::SourceLocation L) {
    if (L.isValid())
      Others.insert(SM.getSpellingLoc(L));
    return true;
  }
  void meant(const clang::NamedDecl *D, clang::SourceLocation L) {
    if (const auto *T = clang::dyn_cast<clang::FunctionTemplateDecl>(D))
      D = T->getTemplatedDecl();
    const auto *F = clang::dyn_cast<clang::FunctionDecl>(D);
    if (F && writtenFunction(F) == Kernel)
      Kernels.insert(SM.getSpellingLoc(L));
    else
      other(L);
  }
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_NAMEMEANINGS_H
