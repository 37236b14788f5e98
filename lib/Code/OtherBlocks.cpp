// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk into callees, see OtherBlocks.h.
#include "OtherBlocks.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// `shared::cluster` is also how the copy engine's operations on the block's own
/// memory, and fences, are spelled.
bool isOfOtherBlock(llvm::StringRef Instruction) {
  if (Instruction.contains("mapa") ||
      Instruction.contains("multicast::cluster") ||
      Instruction.contains("shared::cluster.shared::cta"))
    return true;
  return Instruction.contains("shared::cluster") &&
         llvm::none_of(llvm::ArrayRef{"cp.async.bulk", "mbarrier", "fence"},
                       [&](const char *Own) { return Instruction.contains(Own); });
}

class OtherBlockFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;

  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    const std::string Text = A->getAsmString();
    for (llvm::StringRef Rest = Text; !Rest.empty() && !Found;) {
      llvm::StringRef One;
      std::tie(One, Rest) = Rest.split(';');
      Found = isOfOtherBlock(One);
    }
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    return enter(C->getDirectCallee());
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    return enter(C->getConstructor());
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;

  bool enter(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (!F)
      return true;
    // Of cooperative groups and of Clang's and nvcc's own.
    if (F->getIdentifier() && F->getName().contains("map_shared_rank"))
      Found = true;
    else if (F->hasBody(Definition) && Seen.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return !Found;
  }
};

} // namespace

bool reachesOtherBlocks(const Stmt *S) {
  OtherBlockFinder F;
  F.TraverseStmt(S);
  return F.Found;
}

} // namespace kpipe
