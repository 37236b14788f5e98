// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of launches, see Launches.h.

#include "Launches.h"
#include "BytesByBlock.h"
#include "LaunchConfigs.h"
#include "kpipe/NamedInstances.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

namespace {

/// Host functions that hand a size down to each other; more are not followed.
constexpr unsigned MostCallers = 4;

class Indexer : public ConstDynamicRecursiveASTVisitor {
public:
  Indexer(ASTContext &Context, const CallIndex &Calls)
      : Context(Context), Calls(Calls), Known(Context) {
    ShouldVisitTemplateInstantiations = true;
  }

  LaunchIndex Index;

  bool TraverseFunctionDecl(const FunctionDecl *F) override {
    return within(F, [&] { return Base::TraverseFunctionDecl(F); });
  }
  bool TraverseCXXMethodDecl(const CXXMethodDecl *F) override {
    return within(F, [&] { return Base::TraverseCXXMethodDecl(F); });
  }
  bool TraverseVarDecl(const VarDecl *V) override {
    return makesInstance(V) || Base::TraverseVarDecl(V);
  }
  bool TraverseIfStmt(const IfStmt *I) override {
    if (!TraverseStmt(I->getInit()) || !TraverseStmt(I->getCond()))
      return false;
    Conditions.push_back(I->getCond());
    bool More = TraverseStmt(I->getThen());
    Conditions.pop_back();
    return More && TraverseStmt(I->getElse());
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *C) override {
    const CallExpr *Config = C->getConfig();
    if (const FunctionDecl *K = kernel(C->getCallee());
        K && Config && Config->getNumArgs() >= 3)
      add(K, C, C->getCallee(), Config->getArg(1), Config->getArg(2));
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier())
      return true;
    bool Cooperative = F->getName() == "cudaLaunchCooperativeKernel";
    // cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream).
    if ((Cooperative || F->getName() == "cudaLaunchKernel") &&
        C->getNumArgs() >= 5) {
      if (const FunctionDecl *K = kernel(C->getArg(0)))
        add(K, C, C->getArg(0), C->getArg(2), C->getArg(4), Cooperative);
    } else if (isConfiguredLaunch(C)) {
      if (const FunctionDecl *K = kernel(C->getArg(1)))
        addIndirect(K, C, C->getArg(1), launchConfig(C, Context));
    } else if (auto Handed = handedLaunch(C, Context)) {
      if (const FunctionDecl *K = kernel(Handed->Kernel))
        addIndirect(K, C, Handed->Kernel, Handed->Config);
    } else if (F->getName() == "cudaFuncSetAttribute" && C->getNumArgs() == 3) {
      setting(C->getArg(0),
              namesMostBytes(C->getArg(1)) ? C->getArg(2) : nullptr);
    } else if (F->getName() == "cudaFuncSetCacheConfig" &&
               C->getNumArgs() == 2) {
      setting(C->getArg(0), nullptr);
    } else if (F->getName().starts_with("cudaOccupancy") ||
               F->getName() == "cudaFuncGetAttributes") {
      for (const Expr *A : C->arguments())
        if (const DeclRefExpr *Name = nameIn(A))
          Index.Asked.insert(Name->getLocation());
      query(C, F->getName());
    }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
      mention(F, D->getLocation());
    else if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
             V && mayHoldKernel(V))
      Index.Holders[V].push_back(D->getLocation());
    return true;
  }
  bool VisitOverloadExpr(const OverloadExpr *O) override {
    for (const NamedDecl *D : O->decls())
      if (const auto *F = dyn_cast_or_null<FunctionDecl>(
              D->getUnderlyingDecl()->getAsFunction()))
        mention(F, O->getNameLoc());
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasAttr<CUDASharedAttr>() && V->hasExternalStorage() &&
        V->isReferenced() && !V->getType()->isDependentType() &&
        !Context.getBaseElementType(V->getType())->isDependentType())
      Index.DynamicAlignment = std::max<uint64_t>(
          Index.DynamicAlignment, Context.getDeclAlign(V).getQuantity());
    return true;
  }

private:
  using Base = ConstDynamicRecursiveASTVisitor;

  ASTContext &Context;
  const CallIndex &Calls;
  Values Known;
  const FunctionDecl *Current = nullptr;
  /// Of the if statements in whose first branch the visitor is.
  llvm::SmallVector<const Expr *, 4> Conditions;

  void mention(const FunctionDecl *F, SourceLocation At) {
    if (F->hasAttr<CUDAGlobalAttr>())
      Index.Mentions[writtenKernel(F)->getCanonicalDecl()].push_back(At);
    else if (At.isMacroID())
      Index.OtherArguments.insert(
          Context.getSourceManager().getSpellingLoc(At));
  }

  template <typename T> bool within(const FunctionDecl *F, T Traverse) {
    const FunctionDecl *Outer = Current;
    Current = F;
    bool More = Traverse();
    Current = Outer;
    return More;
  }

  /// A template's own variables have no type yet.
  static bool mayHoldKernel(const VarDecl *V) {
    return V->isLocalVarDecl() && V->hasInit() &&
           (V->getType()->isFunctionPointerType() ||
            V->getType()->isFunctionReferenceType() ||
            V->getType()->isDependentType() || V->getType()->isUndeducedType());
  }

  static const DeclRefExpr *nameIn(const Expr *E) { return kernelNameIn(E); }

  void setting(const Expr *Set, const Expr *MostBytes) {
    const DeclRefExpr *Name = nameIn(Set);
    if (const FunctionDecl *F = Name ? kernel(Set) : nullptr)
      Index.Settings[writtenKernel(F)->getCanonicalDecl()].push_back(
          {Name, MostBytes});
  }

  /// (blocks, kernel, threads, bytes, …).
  void query(const CallExpr *C, llvm::StringRef Name) {
    if (!Name.starts_with("cudaOccupancyMaxActiveBlocksPerMultiprocessor") ||
        C->getNumArgs() < 4 || isa<CXXDefaultArgExpr>(C->getArg(3)))
      return;
    const DeclRefExpr *Named = nameIn(C->getArg(1));
    if (const auto *F =
            Named ? dyn_cast<FunctionDecl>(Named->getDecl()) : nullptr)
      Index.Queries[writtenKernel(F)->getCanonicalDecl()].push_back(
          {Named, C->getArg(3)});
  }

  /// The kernel's name in the initialiser of a local variable; null where it is
  /// held by way of another one.
  const DeclRefExpr *heldBy(const DeclRefExpr *Name) {
    const auto *V = dyn_cast<VarDecl>(Name->getDecl());
    const DeclRefExpr *Init =
        V && mayHoldKernel(V) ? nameIn(V->getInit()) : nullptr;
    return Init && isa<FunctionDecl>(Init->getDecl()) ? Init : nullptr;
  }

  const FunctionDecl *kernel(const Expr *E, unsigned Depth = 0) {
    const DeclRefExpr *D = nameIn(E);
    if (!D || Depth > 4)
      return nullptr;
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
      return F->hasAttr<CUDAGlobalAttr>() ? F : nullptr;
    // A kernel's name in a variable: `auto k = gemm<128>; k<<<…>>>`.
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && V->hasInit() && !isa<ParmVarDecl>(V) && Known.unchanged(V)
               ? kernel(V->getInit(), Depth + 1)
               : nullptr;
  }

  /// What the function around it, or another, says at some other place holds
  /// for this one is not looked at: nothing of the block is certain.
  void addIndirect(const FunctionDecl *Kernel, const Expr *At, const Expr *Name,
                   const std::optional<LaunchConfig> &Config) {
    if (!Config)
      return;
    add(Kernel, At, Name, Config->Block, Config->Bytes, Config->Cooperative,
        true);
  }

  void add(const FunctionDecl *Kernel, const Expr *At, const Expr *Name,
           const Expr *Block, const Expr *Bytes, bool Cooperative = false,
           bool Indirect = false) {
    llvm::SmallVector<const VarDecl *, 8> Bound;
    Launch L;
    L.Indirect = Indirect;
    L.Configured = Indirect && isConfiguredLaunch(cast<CallExpr>(At));
    bindConditions(Bound);
    if (!Indirect)
      L.CertainBlock = Known.extent(Block);
    if (!Indirect && !L.CertainBlock) {
      const auto *Chevrons = dyn_cast<CUDAKernelCallExpr>(At);
      const Expr *All = Chevrons ? Chevrons->getConfig() : At;
      L.ByBlock = bytesByBlock(Block, Bytes, All, Known, Context);
    }
    bindParameters(Current, Bound, 0);
    bindConditions(Bound);
    L.Where = Context.getSourceManager().getExpansionLoc(At->getBeginLoc());
    L.Block = Known.extent(Block);
    L.Size = Block;
    if (auto Count = Known.evaluate(Bytes); Count && *Count >= 0)
      L.DynamicShared = *Count;
    L.Call = dyn_cast<CUDAKernelCallExpr>(At);
    if (const DeclRefExpr *D = nameIn(Name);
        D && isa<FunctionDecl>(D->getDecl()))
      L.Kernel = D;
    else if (D && (L.Held = heldBy(D)))
      L.Holder = D;
    L.Bytes = Bytes;
    L.Cooperative = Cooperative;
    Index.Of[Kernel->getCanonicalDecl()].push_back(L);
    for (const VarDecl *V : Bound)
      Known.unbind(V);
  }

  /// Parameters that have one value in all calls of F.
  void bindParameters(const FunctionDecl *F,
                      llvm::SmallVectorImpl<const VarDecl *> &Bound,
                      unsigned Depth) {
    if (!F || Depth == MostCallers ||
        Calls.AddressTaken.count(F->getCanonicalDecl()))
      return;
    auto It = Calls.Calls.find(F->getCanonicalDecl());
    if (It == Calls.Calls.end())
      return;
    for (const CallExpr *C : It->second)
      if (const FunctionDecl *Caller = Calls.CallerOf.lookup(C);
          Caller && Caller->getCanonicalDecl() != F->getCanonicalDecl())
        bindParameters(Caller, Bound, Depth + 1);
    for (unsigned I = 0; I != F->getNumParams(); ++I) {
      const ParmVarDecl *P = F->getParamDecl(I);
      if (!P->getType()->isIntegralOrEnumerationType() || !Known.unchanged(P))
        continue;
      std::optional<int64_t> Same;
      bool Agree = true;
      for (const CallExpr *C : It->second) {
        auto Value = I < C->getNumArgs() && !isa<CXXOperatorCallExpr>(C)
                         ? Known.evaluate(C->getArg(I))
                         : std::nullopt;
        Agree &= Value && (!Same || Same == Value);
        Same = Value;
      }
      if (!Agree)
        continue;
      Known.bind(P, Same);
      Bound.push_back(P);
    }
  }

  /// What `variable == constant` around the launch tells.
  void bindConditions(llvm::SmallVectorImpl<const VarDecl *> &Bound) {
    for (const Expr *Cond : Conditions) {
      const auto *B = dyn_cast<BinaryOperator>(Cond->IgnoreParenImpCasts());
      if (!B || B->getOpcode() != BO_EQ)
        continue;
      const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      auto Value = Known.evaluate(B->getRHS());
      // What a reference means may change behind its back.
      if (!V || !Value || V->getType()->isReferenceType() ||
          !Known.unchanged(V))
        continue;
      Known.bind(V, Value);
      Bound.push_back(V);
    }
  }
};

} // namespace

const FunctionDecl *writtenKernel(const FunctionDecl *Kernel) {
  if (const FunctionDecl *Pattern = Kernel->getTemplateInstantiationPattern())
    Kernel = Pattern;
  const FunctionDecl *Definition = nullptr;
  return Kernel->hasBody(Definition) ? Definition : Kernel;
}

LaunchIndex indexLaunches(ASTContext &Context, const CallIndex &Calls) {
  Indexer I(Context, Calls);
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      I.TraverseDecl(D);
  return std::move(I.Index);
}

} // namespace kpipe
