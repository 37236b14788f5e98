// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of launches, see Launches.h.

#include "Launches.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

namespace {

class Indexer : public RecursiveASTVisitor<Indexer> {
public:
  explicit Indexer(ASTContext &Context) : Context(Context), Known(Context) {}

  LaunchIndex Index;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *C) {
    const CallExpr *Config = C->getConfig();
    if (const FunctionDecl *K = kernel(C->getCallee());
        K && Config && Config->getNumArgs() >= 3)
      add(K, C, Config->getArg(1), Config->getArg(2));
    return true;
  }
  /// cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream).
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier() || C->getNumArgs() < 5 ||
        (F->getName() != "cudaLaunchKernel" &&
         F->getName() != "cudaLaunchCooperativeKernel"))
      return true;
    if (const FunctionDecl *K = kernel(C->getArg(0)))
      add(K, C, C->getArg(2), C->getArg(4));
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->hasAttr<CUDASharedAttr>() && V->hasExternalStorage() &&
        V->isReferenced() && !V->getType()->isDependentType()) {
      QualType T = Context.getBaseElementType(V->getType());
      if (!T->isDependentType())
        Index.DynamicAlignment = std::max<uint64_t>(
            Index.DynamicAlignment, Context.getDeclAlign(V).getQuantity());
    }
    return true;
  }

private:
  ASTContext &Context;
  Values Known;

  const FunctionDecl *kernel(const Expr *E, unsigned Depth = 0) {
    E = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      E = U->getSubExpr()->IgnoreParenCasts();
    const auto *D = dyn_cast<DeclRefExpr>(E);
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

  void add(const FunctionDecl *Kernel, const Expr *At, const Expr *Block,
           const Expr *Bytes) {
    Launch L;
    L.Where = Context.getSourceManager().getExpansionLoc(At->getBeginLoc());
    L.Block = Known.extent(Block);
    if (auto Count = Known.evaluate(Bytes); Count && *Count >= 0)
      L.DynamicShared = *Count;
    Index.Of[Kernel->getCanonicalDecl()].push_back(L);
  }
};

} // namespace

LaunchIndex indexLaunches(ASTContext &Context) {
  Indexer I(Context);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      I.TraverseDecl(D);
  return std::move(I.Index);
}

} // namespace kpipe
