// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that may be tile loops, see Recognition.h: they store or copy to shared
// memory and pass a barrier, or have the copy engine do so.

#include "Code/Jumps.h"
#include "Recognition.h"
#include "Recognition/Bulk/BulkLoops.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Copies to an address that is a number are stores whose array nobody sees.
bool copiesByNumber(const Effects &E) {
  return llvm::any_of(E.Events, [](const Event &Of) {
    llvm::StringRef Name = Of.Name;
    return Of.Kind == EventKind::AsyncCopy &&
           (Name.starts_with("cp.async.ca.") ||
            Name.starts_with("cp.async.cg."));
  });
}

class CandidateFinder : public ConstDynamicRecursiveASTVisitor {
public:
  CandidateFinder(const FunctionDecl *F, const Scope &In) : F(F), In(In) {}
  llvm::SmallVector<CandidateLoop, 4> Found;

  bool TraverseForStmt(const ForStmt *S) override { return loop(S); }
  bool TraverseWhileStmt(const WhileStmt *S) override { return loop(S); }
  bool TraverseDoStmt(const DoStmt *S) override { return loop(S); }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }

private:
  const FunctionDecl *F;
  const Scope &In;
  unsigned Depth = 0;

  bool loop(const Stmt *S) {
    size_t Before = Found.size();
    ++Depth;
    TraverseStmt(bodyOf(S));
    --Depth;
    // A loop around a candidate is its outer loop and no candidate, also where
    // it has barriers of its own: both would change the inner one's text.
    if (Found.size() != Before)
      return true;
    bool Shared = false, Barrier = false, Async = false;
    if (const auto *Block = dyn_cast<CompoundStmt>(bodyOf(S)))
      for (const Stmt *Item : Block->body()) {
        Effects E = effectsOf(Item, In);
        Shared |= E.writesShared() || copiesByNumber(E);
        Barrier |= E.has(EventKind::BlockBarrier);
        Async |= E.has(EventKind::AsyncCopy);
      }
    if ((Shared && Barrier) || (Async && isBulkLoop(S, In.context())))
      Found.push_back({F, S, Depth != 0});
    return true;
  }
};

} // namespace

llvm::SmallVector<CandidateLoop, 4> findCandidates(const FunctionDecl *F,
                                                   const Scope &In) {
  CandidateFinder Finder(F, In);
  Finder.TraverseStmt(F->getBody());
  return std::move(Finder.Found);
}

} // namespace kpipe
