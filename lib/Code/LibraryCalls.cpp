// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is instantiated for types of the user's can name the user's
// functions; what a library has for itself is not walked, see LibraryCalls.h.
#include "LibraryCalls.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

static bool isLibrarys(const FunctionDecl *F) {
  return F->getASTContext().getSourceManager().isInSystemHeader(
      F->getLocation());
}

static const CXXDestructorDecl *destructorOf(QualType T) {
  const auto *R = T.isNull() ? nullptr
                             : T->getBaseElementTypeUnsafe()
                                   ->getAsCXXRecordDecl();
  return R && R->hasDefinition() ? R->getDestructor() : nullptr;
}

namespace {

/// The functions that a body names.
struct FunctionsIn : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const FunctionDecl *, 8> Found;

  FunctionsIn() { ShouldVisitImplicitCode = true; }

  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    return take(E->getDecl());
  }
  bool VisitMemberExpr(const MemberExpr *E) override {
    return take(E->getMemberDecl());
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    take(destructorOf(E->getType()));
    return take(E->getConstructor());
  }

private:
  bool take(const ValueDecl *D) {
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
      Found.push_back(F);
    return true;
  }
};

} // namespace

void LibraryCalls::enter(const FunctionDecl *F) {
  if (!F || !isLibrarys(F))
    return;
  llvm::SmallVector<const FunctionDecl *, 8> Open{F};
  while (!Open.empty()) {
    const FunctionDecl *Next = Open.pop_back_val(), *Definition = nullptr;
    if (!isLibrarys(Next)) {
      Named.insert(Next->getCanonicalDecl());
      continue;
    }
    if (!Next->getTemplateInstantiationPattern() ||
        !Next->hasBody(Definition) || !Seen.insert(Definition).second)
      continue;
    FunctionsIn In;
    In.TraverseDecl(const_cast<FunctionDecl *>(Definition));
    llvm::append_range(Open, In.Found);
  }
}

void LibraryCalls::enterEndOf(QualType T) { enter(destructorOf(T)); }

} // namespace kpipe
