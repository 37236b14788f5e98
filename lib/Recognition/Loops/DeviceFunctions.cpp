// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects device functions, see DeviceFunctions.h.

#include "DeviceFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Finder : public ConstDynamicRecursiveASTVisitor {
public:
  Finder(ASTContext &Context, const TransformOptions &Options)
      : SM(Context.getSourceManager()), Options(Options),
        Headers(Options.HeaderFilter), Kernels(Options.KernelRegex) {
    ShouldVisitTemplateInstantiations = true;
  }

  llvm::MapVector<SourceLocation, DeviceFunction> Found;

  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody() || isa<CXXDeductionGuideDecl>(F))
      return true;
    if (!F->hasAttr<CUDAGlobalAttr>() && !F->hasAttr<CUDADeviceAttr>())
      return true;
    SourceLocation Where = SM.getExpansionLoc(F->getLocation());
    if (!editable(Where))
      return true;
    if (!Options.KernelRegex.empty() &&
        !Kernels.match(F->getQualifiedNameAsString()))
      return true;
    DeviceFunction &D = Found[Where];
    if (!D.Written || F->isDependentContext())
      D.Written = F;
    if (!F->isDependentContext() && !llvm::is_contained(D.Bodies, F))
      D.Bodies.push_back(F);
    return true;
  }

private:
  const SourceManager &SM;
  const TransformOptions &Options;
  llvm::Regex Headers, Kernels;

  bool editable(SourceLocation Where) {
    if (SM.isInMainFile(Where))
      return true;
    if (Options.HeaderFilter.empty() || SM.isInSystemHeader(Where))
      return false;
    return Headers.match(SM.getFilename(Where));
  }
};

} // namespace

std::vector<DeviceFunction> deviceFunctions(ASTContext &Context,
                                            const TransformOptions &Options) {
  Finder F(Context, Options);
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      F.TraverseDecl(D);
  std::vector<DeviceFunction> Out;
  for (auto &[Where, Function] : F.Found)
    Out.push_back(std::move(Function));
  const SourceManager &SM = Context.getSourceManager();
  llvm::sort(Out, [&](const DeviceFunction &A, const DeviceFunction &B) {
    return SM.isBeforeInTranslationUnit(A.Written->getLocation(),
                                        B.Written->getLocation());
  });
  return Out;
}

} // namespace kpipe
