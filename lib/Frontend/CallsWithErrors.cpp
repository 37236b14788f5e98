// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `k<64><<<grid, block, bytes>>>(A.data_ptr<float>())` and `launch<64>(A)` keep
// their names, template arguments and configuration; what is missing is
// overload resolution, of which the result is plain where a name has one
// meaning.
#include "CallsWithErrors.h"
#include "Instantiate.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

/// An open call in code that is no template.
struct OpenCall {
  CallExpr *Call;
  UnresolvedLookupExpr *Callee;
};

class OpenCalls : public DynamicRecursiveASTVisitor {
public:
  OpenCalls() { ShouldVisitTemplateInstantiations = true; }
  std::vector<OpenCall> Found;

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    return F->isDependentContext() || Base::TraverseFunctionDecl(F);
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) override {
    return F->isDependentContext() || Base::TraverseCXXMethodDecl(F);
  }
  bool VisitCallExpr(CallExpr *C) override {
    if (auto *U =
            dyn_cast<UnresolvedLookupExpr>(C->getCallee()->IgnoreParens());
        U && C->containsErrors())
      Found.push_back({C, U});
    return true;
  }

private:
  using Base = DynamicRecursiveASTVisitor;
};

class Resolver {
public:
  explicit Resolver(Sema &S)
      : S(S), Context(S.getASTContext()),
        KernelsNamed(namesInstances(Context)) {}

  void run() {
    OpenCalls Calls;
    if (KernelsNamed)
      findNamed();
    for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
        Calls.TraverseDecl(D);
    // Instances that are made on the way call others, perhaps without end.
    constexpr size_t MostInstances = 1024;
    while (!Calls.Found.empty() && Made.size() < MostInstances) {
      std::vector<OpenCall> Now = std::move(Calls.Found);
      Calls.Found.clear();
      for (const OpenCall &C : Now)
        if (FunctionDecl *F = resolve(C); F && Made.insert(F).second)
          if (instantiate(F, C.Callee->getNameLoc()))
            Calls.TraverseStmt(F->getBody());
    }
  }

private:
  Sema &S;
  ASTContext &Context;
  /// The user says which instances of kernels there are: a template that has
  /// some gets no more, but launches of others count.
  const bool KernelsNamed;
  llvm::SmallPtrSet<FunctionDecl *, 8> Made;
  /// Kernels' templates of which there are instances already.
  llvm::SmallPtrSet<FunctionTemplateDecl *, 8> Named;

  void findNamed() {
    struct Finder : DynamicRecursiveASTVisitor {
      llvm::SmallPtrSet<FunctionTemplateDecl *, 8> *Found;
      bool VisitFunctionTemplateDecl(FunctionTemplateDecl *T) override {
        if (T->getTemplatedDecl()->hasAttr<CUDAGlobalAttr>() &&
            !T->specializations().empty())
          Found->insert(T->getCanonicalDecl());
        return true;
      }
      bool TraverseStmt(Stmt *) override { return true; }
    } All;
    All.Found = &Named;
    for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      All.TraverseDecl(D);
  }

  FunctionDecl *resolve(const OpenCall &C) {
    UnresolvedLookupExpr *U = C.Callee;
    if (U->getNumDecls() != 1)
      return nullptr;
    NamedDecl *Only = (*U->decls_begin())->getUnderlyingDecl();
    auto *F = dyn_cast<FunctionDecl>(Only);
    auto *T = dyn_cast<FunctionTemplateDecl>(Only);
    if (isa_and_nonnull<CXXMethodDecl>(T ? T->getTemplatedDecl() : F))
      return nullptr;
    TemplateArgumentListInfo Written;
    if (U->hasExplicitTemplateArgs())
      U->copyTemplateArgumentsInto(Written);
    if (T)
      F = instanceOf(T, Written, U->getNameLoc());
    if (!F || F->isDependentContext())
      return nullptr;
    C.Call->setCallee(DeclRefExpr::Create(
        Context, U->getQualifierLoc(), U->getTemplateKeywordLoc(), F,
        /*RefersToEnclosingVariableOrCapture=*/false, U->getNameInfo(),
        F->getType(), VK_LValue, Only,
        U->hasExplicitTemplateArgs() ? &Written : nullptr));
    return F;
  }

  /// The instance of T that the arguments say by themselves; null if what the
  /// call gives would have to tell.
  FunctionDecl *instanceOf(FunctionTemplateDecl *T,
                           TemplateArgumentListInfo &Written,
                           SourceLocation Where) {
    const TemplateParameterList &All = *T->getTemplateParameters();
    if (All.hasParameterPack() || T->hasAssociatedConstraints() ||
        Written.size() > All.size() || T->isMemberSpecialization() ||
        llvm::any_of(Written.arguments(), [](const TemplateArgumentLoc &A) {
          return A.getArgument().isDependent() ||
                 A.getArgument().isPackExpansion();
        }))
      return nullptr;
    for (unsigned I = Written.size(); I < All.size(); ++I) {
      const auto *Type = dyn_cast<TemplateTypeParmDecl>(All.getParam(I));
      const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(All.getParam(I));
      if (!(Type && Type->hasDefaultArgument()) &&
          !(Value && Value->hasDefaultArgument()))
        return nullptr;
    }
    Sema::CheckTemplateArgumentInfo Checked;
    TemplateArgumentListInfo Arguments = Written;
    if (S.CheckTemplateArgumentList(T, Where, Arguments, {},
                                    /*PartialTemplateArgs=*/false, Checked))
      return nullptr;
    // What is wrong with it are parameters' types that could not be read.
    FunctionDecl *Pattern = T->getTemplatedDecl();
    const bool Invalid = Pattern->isInvalidDecl();
    Pattern->setInvalidDecl(false);
    FunctionDecl *F = S.InstantiateFunctionDeclaration(
        T,
        TemplateArgumentList::CreateCopy(Context, Checked.CanonicalConverted),
        Where);
    Pattern->setInvalidDecl(Invalid);
    if (F)
      F->setInvalidDecl(false);
    return F;
  }

  /// Makes a body, if there is to be one that was not there before.
  bool instantiate(FunctionDecl *F, SourceLocation Where) {
    FunctionTemplateDecl *T = F->getPrimaryTemplate();
    if (!T || F->getBody() || !T->getTemplatedDecl()->hasBody() || isNamed(F))
      return false;
    auto &Pending = S.PendingInstantiations; // made with the rest of the file
    const auto Before = static_cast<std::ptrdiff_t>(Pending.size());
    S.InstantiateFunctionDefinition(Where, F, /*Recursive=*/false,
                                    /*DefinitionRequired=*/false);
    Pending.erase(std::remove_if(Pending.begin() + Before, Pending.end(),
                                 [&](const auto &One) {
                                   const auto *K =
                                       dyn_cast<FunctionDecl>(One.first);
                                   return K && isNamed(K);
                                 }),
                  Pending.end());
    return F->getBody();
  }

  bool isNamed(const FunctionDecl *F) const {
    return KernelsNamed && F->hasAttr<CUDAGlobalAttr>() &&
           F->getPrimaryTemplate() &&
           Named.count(F->getPrimaryTemplate()->getCanonicalDecl());
  }
};

} // namespace

void resolveCallsWithErrors(Sema &S) { Resolver(S).run(); }

} // namespace kpipe
