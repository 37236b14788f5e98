// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the loop out to the kernels: no thread has left before, and no condition
// on the way divides the block. See WhoComes.h.
#include "WhoComes.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/ThreadDependence.h"
#include "Code/ThreadEnds.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

/// What ends a function, or a thread, in front of a place.
struct WayOut : ConstDynamicRecursiveASTVisitor {
  const SourceManager &SM;
  const Stmt *Inside;
  SourceLocation End;
  /// What stands behind the place comes before it the next time.
  bool Again, Within = false, Found = false;
  WayOut(const SourceManager &SM, const Stmt *Inside, bool Again)
      : SM(SM), Inside(Inside), End(SM.getExpansionLoc(Inside->getEndLoc())),
        Again(Again) {}
  bool counts(const Stmt *S) const {
    return Again || SM.isBeforeInTranslationUnit(
                        SM.getExpansionLoc(S->getBeginLoc()), End);
  }
  bool VisitReturnStmt(const ReturnStmt *R) override {
    // `return helper(x);` leaves behind the call.
    return !(Found |= counts(R) && pathTo(Inside, R).empty());
  }
  /// Callees are walked into once for each expression or declaration.
  bool TraverseStmt(const Stmt *S) override {
    const bool Whole =
        S && !Within && isa<Expr, DeclStmt, AsmStmt, CXXForRangeStmt>(S);
    llvm::SaveAndRestore Inner(Within, Within || Whole);
    Found |= Whole && counts(S) && mayEndThread(S);
    return !Found && ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

class Ways {
public:
  explicit Ways(const CallIndex *Calls) : Calls(Calls) {}

  /// \param Inside the loop, or a call that leads to it.
  bool come(const Stmt *Inside, const FunctionDecl *F, unsigned Depth = 0) {
    const auto Path = pathTo(Inside, F->getBody());
    if (Path.empty() || Depth == MostDepth || hasLabel(F->getBody()))
      return false;
    const bool Again = llvm::any_of(
        Path, [&](const Stmt *S) { return S != Inside && isLoop(S); });
    WayOut Out(F->getASTContext().getSourceManager(), Inside, Again);
    Out.TraverseStmt(F->getBody());
    if (Out.Found)
      return false;
    ThreadDependence Threads(F, Calls);
    for (const Stmt *S : Path)
      if (S != Inside && Threads.divides(S))
        return false;
    return F->hasAttr<CUDAGlobalAttr>() || allCallsCome(F, Depth);
  }

private:
  static constexpr unsigned MostDepth = 8;
  const CallIndex *Calls;

  bool allCallsCome(const FunctionDecl *F, unsigned Depth) {
    if (!Calls || !Calls->hasAll(F))
      return false;
    auto It = Calls->Calls.find(F->getCanonicalDecl());
    return It != Calls->Calls.end() &&
           llvm::all_of(It->second, [&](const CallExpr *C) {
             const FunctionDecl *From = Calls->CallerOf.lookup(C);
             return From && From->getBody() && come(C, From, Depth + 1);
           });
  }
};

} // namespace

bool allThreadsCome(const LoopFacts &Facts) {
  return Ways(Facts.In->calls()).come(Facts.Tile.Loop, Facts.Tile.Function);
}

} // namespace kpipe
