// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeldKernels.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Holders final : public ConstDynamicRecursiveASTVisitor {
public:
  Holders(SourceLocation Name, ASTContext &Context)
      : Name(Name), SM(Context.getSourceManager()) {
    ShouldVisitTemplateInstantiations = true;
    for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      if (!SM.isInSystemHeader(D->getLocation()))
        TraverseDecl(D);
  }

  llvm::DenseSet<const VarDecl *> Found;
  /// Mentions of the name that initialise no such variable.
  bool Otherwise = false;
  llvm::DenseMap<const VarDecl *, std::vector<const Expr *>> Named;
  /// What is launched and where, and what is set.
  llvm::DenseMap<const Expr *, SourceRange> Launched;
  llvm::DenseSet<const Expr *> Set;

  bool VisitVarDecl(const VarDecl *V) override {
    if (const Expr *Init = V->isLocalVarDecl() ? V->getInit() : nullptr)
      if (const Expr *Kernel = nameIn(Init); Kernel && isHere(Kernel)) {
        Found.insert(V);
        Initialisers.insert(Kernel);
        // What the name is in a variable that is no pointer nobody knows.
        const QualType T = V->getType();
        Otherwise |= V->isStaticLocal() ||
                     !(T->isFunctionPointerType() || T->isDependentType() ||
                       T->isUndeducedType() || T->isFunctionReferenceType());
      }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      Named[V].push_back(D);
    return mention(D);
  }
  bool VisitOverloadExpr(const OverloadExpr *O) override { return mention(O); }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *C) override {
    if (const Expr *Callee = nameIn(C->getCallee()))
      Launched[Callee] = C->getSourceRange();
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const Expr *Callee = C->getCallee()->IgnoreParenImpCasts();
    std::string Called;
    if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
      Called = D->getNameInfo().getAsString();
    else if (const auto *O = dyn_cast<OverloadExpr>(Callee))
      Called = O->getName().getAsString();
    if ((Called == "cudaFuncSetAttribute" ||
         Called == "cudaFuncSetCacheConfig") &&
        C->getNumArgs())
      if (const Expr *Kernel = nameIn(C->getArg(0)))
        Set.insert(Kernel);
    return true;
  }

  bool mentionsAreInitialisers() const {
    return !Otherwise && llvm::all_of(Mentions, [&](const Expr *E) {
      return Initialisers.count(E);
    });
  }

private:
  const SourceLocation Name;
  const SourceManager &SM;
  llvm::DenseSet<const Expr *> Mentions, Initialisers;

  static const Expr *nameIn(const Expr *E) {
    E = E->IgnoreParenCasts();
    // `(*k)<<<…>>>` is k.
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref))
      E = U->getSubExpr()->IgnoreParenCasts();
    return isa<DeclRefExpr, OverloadExpr>(E) ? E : nullptr;
  }
  bool isHere(const Expr *E) const {
    const auto *O = dyn_cast<OverloadExpr>(E);
    const auto *D = dyn_cast<DeclRefExpr>(E);
    return SM.getSpellingLoc(O ? O->getNameLoc() : D->getLocation()) == Name;
  }
  bool mention(const Expr *E) {
    if (isHere(E))
      Mentions.insert(E);
    return true;
  }
};

} // namespace

bool isHeldForLaunches(SourceLocation Name, ASTContext &Context,
                       llvm::function_ref<bool(SourceRange)> Changed) {
  const Holders All(Name, Context);
  return !All.Found.empty() && All.mentionsAreInitialisers() &&
         llvm::all_of(All.Found, [&](const VarDecl *V) {
           auto Named = All.Named.find(V);
           return Named == All.Named.end() ||
                  llvm::all_of(Named->second, [&](const Expr *E) {
                    auto Launch = All.Launched.find(E);
                    return All.Set.count(E) || (Launch != All.Launched.end() &&
                                                Changed(Launch->second));
                  });
         });
}

} // namespace kpipe
