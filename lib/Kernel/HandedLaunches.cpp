// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `launch(kernel, grid, block, bytes, …)`: functions of the author's that
// launch what they are given, see LaunchConfigs.h.
#include "Code/KnownFunctions.h"
#include "LaunchConfigs.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A parameter's name, and nothing but conversions around it.
const DeclRefExpr *parameterIn(const Expr *E) {
  const auto *D =
      E ? dyn_cast<DeclRefExpr>(E->IgnoreUnlessSpelledInSource()) : nullptr;
  if (!D && E)
    D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return D && isa<ParmVarDecl>(D->getDecl()) ? D : nullptr;
}

/// The launches of a parameter that a function makes.
class LaunchesOfParameter : public ConstDynamicRecursiveASTVisitor {
public:
  LaunchesOfParameter(const ParmVarDecl *Kernel, const ASTContext &Context)
      : Kernel(Kernel), Context(Context) {}

  llvm::SmallVector<LaunchConfig, 2> Found;
  /// Names that are understood: of the kernel, and of what it may be given.
  llvm::DenseSet<const Expr *> Known;
  /// What the kernel is allowed to be given.
  llvm::SmallVector<const Expr *, 2> Allowed;
  bool Unclear = false;
  llvm::DenseMap<const Decl *, llvm::SmallVector<const DeclRefExpr *, 4>> Names;

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Names[D->getDecl()].push_back(D);
    return true;
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *C) override {
    if (isKernel(C->getCallee()) && C->getConfig() &&
        C->getConfig()->getNumArgs() >= 3)
      Found.push_back(
          {C->getConfig()->getArg(2), C->getConfig()->getArg(1), false});
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier() || !isToolkits(F))
      return true;
    const bool Cooperative = F->getName() == "cudaLaunchCooperativeKernel";
    if ((Cooperative || F->getName() == "cudaLaunchKernel") &&
        C->getNumArgs() >= 5) {
      if (isKernel(C->getArg(0)))
        Found.push_back({C->getArg(4), C->getArg(2), Cooperative});
    } else if (isConfiguredLaunch(C)) {
      if (!isKernel(C->getArg(1)))
        return true;
      std::optional<LaunchConfig> Config = launchConfig(C, Context);
      Unclear |= !Config;
      if (Config)
        Found.push_back(*Config);
    } else if (F->getName() == "cudaFuncSetAttribute" && C->getNumArgs() == 3) {
      if (isKernel(C->getArg(0)) && namesMostBytes(C->getArg(1)))
        Allowed.push_back(C->getArg(2));
    }
    return true;
  }

private:
  const ParmVarDecl *Kernel;
  const ASTContext &Context;

  bool isKernel(const Expr *E) {
    const DeclRefExpr *D = kernelNameIn(E);
    if (!D || D->getDecl() != Kernel)
      return false;
    Known.insert(D);
    return true;
  }
};

/// Bytes of another type may choose another function, or another instance.
bool hangsOnTypeOfBytes(const FunctionDecl *F, unsigned Parameter) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  if (!Pattern)
    Pattern = F;
  if (Parameter >= Pattern->getNumParams() ||
      Pattern->getParamDecl(Parameter)->getType()->isDependentType())
    return true;
  struct SameName : ConstDynamicRecursiveASTVisitor {
    const FunctionDecl *Only;
    bool Others = false;
    bool VisitFunctionDecl(const FunctionDecl *G) override {
      Others |= G->getDeclName() == Only->getDeclName() &&
                G->getCanonicalDecl() != Only->getCanonicalDecl();
      return !Others;
    }
  } Find;
  Find.Only = Pattern;
  const ASTContext &Context = F->getASTContext();
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      Find.TraverseDecl(D);
  return Find.Others;
}

class HandedReader {
public:
  HandedReader(const CallExpr *C, const FunctionDecl *F,
               const ASTContext &Context)
      : C(C), F(F), Context(Context) {}

  /// \param At the index of the parameter that the kernel is given to.
  std::optional<HandedLaunch> read(unsigned At) const {
    const ParmVarDecl *Kernel = F->getParamDecl(At);
    LaunchesOfParameter Seen(Kernel, Context);
    Seen.TraverseStmt(F->getBody());
    if (Seen.Unclear || Seen.Found.empty() || !isOnly(Kernel, Seen, Seen.Known))
      return std::nullopt;
    const ParmVarDecl *Bytes = nullptr, *Block = nullptr;
    llvm::DenseSet<const Expr *> Counts;
    HandedLaunch Handed{C->getArg(At), {}};
    for (const LaunchConfig &L : Seen.Found) {
      const DeclRefExpr *B = parameterIn(L.Bytes);
      if (!B || (Bytes && Bytes != B->getDecl()))
        return std::nullopt;
      Bytes = cast<ParmVarDecl>(B->getDecl());
      Counts.insert(B);
      Handed.Config.Cooperative |= L.Cooperative;
      const DeclRefExpr *Size = parameterIn(L.Block);
      Block = Size && Seen.Found.size() == 1
                  ? cast<ParmVarDecl>(Size->getDecl())
                  : nullptr;
      if (Block && !isOnly(Block, Seen, {Size}))
        Block = nullptr;
    }
    for (const Expr *E : Seen.Allowed)
      if (const DeclRefExpr *B = parameterIn(E); B && B->getDecl() == Bytes)
        Counts.insert(B);
      else if (!ruleIsSwitchedOff("launches"))
        return std::nullopt;
    if (!Bytes->getType()->isIntegralOrEnumerationType() ||
        Context.getIntWidth(Bytes->getType()) < 32 ||
        !isOnly(Bytes, Seen, Counts))
      return std::nullopt;
    if (!ruleIsSwitchedOff("launches") &&
        hangsOnTypeOfBytes(F, Bytes->getFunctionScopeIndex()))
      return std::nullopt;
    Handed.Config.Bytes = argument(Bytes);
    Handed.Config.Block = Block ? argument(Block) : nullptr;
    return Handed.Config.Bytes ? std::optional(Handed) : std::nullopt;
  }

private:
  const CallExpr *C;
  const FunctionDecl *F;
  const ASTContext &Context;

  const Expr *argument(const ParmVarDecl *P) const {
    const unsigned I = P->getFunctionScopeIndex();
    return F->getParamDecl(I) == P && I < C->getNumArgs() ? C->getArg(I)
                                                          : nullptr;
  }

  bool isOnly(const ParmVarDecl *P, const LaunchesOfParameter &Seen,
              const llvm::DenseSet<const Expr *> &Known) const {
    if (ruleIsSwitchedOff("launches"))
      return true;
    llvm::DenseSet<SourceLocation> Places{P->getLocation()};
    auto It = Seen.Names.find(P);
    if (It != Seen.Names.end())
      for (const DeclRefExpr *D : It->second) {
        if (!Known.count(D))
          return false;
        Places.insert(
            Context.getSourceManager().getSpellingLoc(D->getLocation()));
      }
    return spellsOnly(F, P->getName(), Places, Context);
  }
};

} // namespace

std::optional<HandedLaunch> handedLaunch(const CallExpr *C,
                                         const ASTContext &Context) {
  const FunctionDecl *Callee = C->getDirectCallee(), *F = nullptr;
  if (!Callee || isa<CUDAKernelCallExpr, CXXOperatorCallExpr>(C) ||
      !Callee->hasBody(F) || F->isDependentContext() ||
      F->hasAttr<WeakAttr>() || F->hasAttr<CUDAGlobalAttr>() ||
      Context.getSourceManager().isInSystemHeader(F->getLocation()))
    return std::nullopt;
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isVirtual())
    return std::nullopt;
  for (unsigned I = 0; I != C->getNumArgs() && I < F->getNumParams(); ++I)
    if (const DeclRefExpr *Name = kernelNameIn(C->getArg(I)))
      if (const auto *K = dyn_cast<FunctionDecl>(Name->getDecl());
          K && K->hasAttr<CUDAGlobalAttr>())
        return HandedReader(C, F, Context).read(I);
  return std::nullopt;
}

} // namespace kpipe
