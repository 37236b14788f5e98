// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the unit for its calls, see CodeIndex.h.

#include "CodeIndex.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

struct CallFinder : ConstDynamicRecursiveASTVisitor {
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<CodeIndex::Call, 2>>
      Calls;
  llvm::DenseSet<const FunctionDecl *> Hidden;
  llvm::DenseSet<const CXXRecordDecl *> HandedOut;
  bool KeepsPointers = false;
  const FunctionDecl *Current = nullptr;
  llvm::SmallPtrSet<const Expr *, 32> Called;
  llvm::DenseMap<const FieldDecl *, llvm::SmallVector<const FunctionDecl *, 4>>
      Naming;

  CallFinder() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool TraverseFunctionDecl(const FunctionDecl *F) override {
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    });
  }
  bool TraverseCXXMethodDecl(const CXXMethodDecl *F) override {
    // An overrider is called by the name of what it overrides.
    if (F->isVirtual())
      Hidden.insert(F->getCanonicalDecl());
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXMethodDecl(F);
    });
  }
  bool TraverseCXXConstructorDecl(const CXXConstructorDecl *F) override {
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXConstructorDecl(F);
    });
  }
  // It is called where nobody writes a call.
  bool TraverseCXXDestructorDecl(const CXXDestructorDecl *F) override {
    Hidden.insert(F->getCanonicalDecl());
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXDestructorDecl(F);
    });
  }
  bool TraverseCXXConversionDecl(const CXXConversionDecl *F) override {
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXConversionDecl(F);
    });
  }
  bool VisitCallExpr(const CallExpr *C) override {
    Called.insert(C->getCallee()->IgnoreParenImpCasts());
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    Calls[F->getCanonicalDecl()].push_back({C, Current});
    // A closure becomes a pointer to a function.
    if (const auto *To = dyn_cast<CXXConversionDecl>(F))
      if (To->getParent()->isLambda())
        HandedOut.insert(To->getParent()->getCanonicalDecl());
    // A library calls members of what it is given; its calls are not read.
    if (F->getASTContext().getSourceManager().isInSystemHeader(
            F->getLocation())) {
      for (const Expr *A : C->arguments())
        handOut(A->getType());
      if (const auto *Args = F->getTemplateSpecializationArgs())
        handOut(Args->asArray());
      for (const DeclContext *In = F->getDeclContext(); In;
           In = In->getParent())
        if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(In))
          handOut(S->getTemplateArgs().asArray());
    }
    return true;
  }
  // What allocates is called with more than is written.
  bool VisitCXXNewExpr(const CXXNewExpr *N) override {
    if (const FunctionDecl *F = N->getOperatorNew())
      Hidden.insert(F->getCanonicalDecl());
    return true;
  }
  bool VisitCXXDeleteExpr(const CXXDeleteExpr *D) override {
    if (const FunctionDecl *F = D->getOperatorDelete())
      Hidden.insert(F->getCanonicalDecl());
    return true;
  }
  /// A pointer is stored where it outlives the variables of a function.
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->getOpcode() != BO_Assign || !B->getType()->isPointerType() ||
        !onDevice())
      return true;
    const Expr *To = B->getLHS()->IgnoreParens();
    while (const auto *M = dyn_cast<MemberExpr>(To)) {
      if (M->isArrow())
        break;
      To = M->getBase()->IgnoreParens();
    }
    const VarDecl *V = namedVariable(To);
    KeepsPointers |=
        !V || !V->hasLocalStorage() || V->getType()->isReferenceType();
    return true;
  }
  bool onDevice() const {
    return Current && (Current->hasAttr<CUDAGlobalAttr>() ||
                       Current->hasAttr<CUDADeviceAttr>());
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (const auto *F = dyn_cast<FunctionDecl>(M->getMemberDecl()))
      if (!Called.count(M))
        Hidden.insert(F->getCanonicalDecl());
    if (const auto *F = referenceMember(M))
      if (auto &In = Naming[F]; !llvm::is_contained(In, Current))
        In.push_back(Current);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
      if (!Called.count(D))
        Hidden.insert(F->getCanonicalDecl());
    return true;
  }

private:
  void handOut(QualType T) {
    if (T->isPointerType())
      T = T->getPointeeType();
    if (const auto *R = T.getNonReferenceType()->getAsCXXRecordDecl())
      HandedOut.insert(R->getCanonicalDecl());
  }
  void handOut(llvm::ArrayRef<TemplateArgument> Args) {
    for (const TemplateArgument &A : Args)
      if (A.getKind() == TemplateArgument::Type)
        handOut(A.getAsType());
      else if (A.getKind() == TemplateArgument::Pack)
        handOut(A.getPackAsArray());
  }

  template <typename Body> bool in(const FunctionDecl *F, Body Traverse) {
    if (F->isDependentContext())
      return true;
    const FunctionDecl *Outer = Current;
    Current = F;
    bool Continue = Traverse();
    Current = Outer;
    return Continue;
  }
};

} // namespace

CodeIndex::CodeIndex(ASTContext &Context) : Context(Context) {
  CallFinder F;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      F.TraverseDecl(D);
  Calls = std::move(F.Calls);
  Hidden = std::move(F.Hidden);
  HandedOut = std::move(F.HandedOut);
  KeepsPointers = F.KeepsPointers;
  Naming = std::move(F.Naming);
}

llvm::ArrayRef<const FunctionDecl *>
CodeIndex::naming(const FieldDecl *Reference) const {
  auto It = Naming.find(Reference);
  return It == Naming.end() ? llvm::ArrayRef<const FunctionDecl *>()
                            : It->second;
}

llvm::ArrayRef<CodeIndex::Call>
CodeIndex::callsOf(const FunctionDecl *F) const {
  auto It = Calls.find(F->getCanonicalDecl());
  return It == Calls.end() ? llvm::ArrayRef<Call>() : It->second;
}

bool CodeIndex::hidden(const FunctionDecl *F) const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(F))
    if (HandedOut.count(M->getParent()->getCanonicalDecl()))
      return true;
  return Hidden.count(F->getCanonicalDecl());
}

const FunctionNames &CodeIndex::namesOf(const FunctionDecl *F) const {
  std::unique_ptr<FunctionNames> &Entry = Names[F];
  if (!Entry)
    Entry = std::make_unique<FunctionNames>(namesIn(F));
  return *Entry;
}

} // namespace kpipe
