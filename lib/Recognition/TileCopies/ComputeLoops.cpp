// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short counted loops of a compute region that nobody has said how to unroll:
// while one stands rolled, what an iteration reads from shared memory cannot be
// asked for beside the arithmetic of the one before.

#include "ComputeLoops.h"
#include "CopyLoops.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Copies of a body that the instructions' cache is not too small for.
constexpr uint64_t MostTrips = 32;

class LoopFinder : public ConstDynamicRecursiveASTVisitor {
public:
  LoopFinder(const LoopFacts &Facts,
             llvm::SmallVectorImpl<const ForStmt *> &Found)
      : In(*Facts.In), SM(In.context().getSourceManager()), Found(Found),
        File(fileOf(Facts.Tile.Loop->getBeginLoc())) {}

  bool TraverseForStmt(const ForStmt *F) override {
    CopyLoop L = describeCopyLoop(F, In);
    if (L.ConstantInit && L.Trips > 1 && L.Trips <= MostTrips &&
        !F->getForLoc().isMacroID() && fileOf(F->getForLoc()) == File &&
        !llvm::is_contained(Found, F))
      Found.push_back(F);
    return true; // the compiler sees to the inner ones
  }
  bool TraverseWhileStmt(const WhileStmt *) override { return true; }
  bool TraverseDoStmt(const DoStmt *) override { return true; }
  bool TraverseCXXForRangeStmt(const CXXForRangeStmt *) override { return true; }
  /// The author's own pragma says it.
  bool TraverseAttributedStmt(const AttributedStmt *) override { return true; }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }

  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (F && F->hasBody(Definition) && fileOf(Definition->getLocation()) == File &&
        Seen.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return true;
  }

private:
  const Scope &In;
  const SourceManager &SM;
  llvm::SmallVectorImpl<const ForStmt *> &Found;
  FileID File;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  FileID fileOf(SourceLocation L) const {
    return SM.getFileID(SM.getExpansionLoc(L));
  }
};

} // namespace

void findUnrollable(LoopFacts &Facts) {
  LoopFinder Find(Facts, Facts.Tile.Unrollable);
  for (const BodyItem &I : Facts.Tile.Body)
    if (I.InCompute && !I.InLoad)
      Find.TraverseStmt(I.S);
}

} // namespace kpipe
