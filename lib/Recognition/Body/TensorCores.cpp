// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a compute region multiplies matrices on tensor cores: by wmma, or by
// mma in inline assembly, in the region or in a function that it calls.

#include "TensorCores.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

struct MatrixFinder : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    std::string Text = A->getAsmString();
    for (const char *Name : {"mma.sync", "mma_async", "wmma.mma"})
      Found |= Text.find(Name) != std::string::npos;
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    if (classifyCall(F) == CallKind::WmmaCompute) {
      Found |= F->getName().contains("mma");
      return !Found;
    }
    const FunctionDecl *Definition = nullptr;
    if (F->hasBody(Definition) && Seen.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return !Found;
  }
};

} // namespace

void findTensorCores(LoopFacts &Facts) {
  MatrixFinder Find;
  for (const BodyItem &I : Facts.Tile.Body)
    if (I.InCompute && !Find.Found)
      Find.TraverseStmt(I.S);
  Facts.Tile.TensorCores = Find.Found;
}

} // namespace kpipe
