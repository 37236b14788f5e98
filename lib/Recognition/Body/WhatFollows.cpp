// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands before and after the loop, see WhatFollows.h.
#include "WhatFollows.h"
#include "Code/InFlight.h"
#include "WhoComes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

void findWhatFollows(LoopFacts &Facts) {
  struct Follower : ConstDynamicRecursiveASTVisitor {
    const Stmt *Loop;
    llvm::SmallVector<const Stmt *, 8> After, Before;
    bool Inside = false, Found = false;
    bool TraverseStmt(const Stmt *S) override {
      if (!S)
        return true;
      if (S == Loop) {
        Found = true;
        return true;
      }
      if (Found) {
        After.push_back(S);
        return true;
      }
      if (isa<Expr, DeclStmt, GCCAsmStmt>(S)) {
        Before.push_back(S);
        return true;
      }
      return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
  } F;
  F.Loop = Facts.Tile.Loop;
  F.TraverseStmt(Facts.Tile.Function->getBody());
  llvm::SmallVector<Effects, 8> Parts;
  llvm::SmallVector<const Effects *, 8> Pointers;
  for (const Stmt *S : F.After)
    Parts.push_back(effectsOf(S, *Facts.In));
  for (const Effects &E : Parts)
    Pointers.push_back(&E);
  Facts.After = inSequence(Pointers);
  auto Asynchronous = [&](const Stmt *S, const Effects &Of) {
    for (const Event &E : Of.Events)
      if (E.Kind == EventKind::AsyncCopy)
        Facts.AsyncBefore = S;
  };
  // What an outer loop does after this one comes before it the next time.
  if (Facts.InOuterLoop)
    for (unsigned I = 0; I != Parts.size(); ++I)
      Asynchronous(F.After[I], Parts[I]);
  for (const Stmt *S : F.Before)
    Asynchronous(S, effectsOf(S, *Facts.In));
  if (Facts.AsyncBefore) {
    AsyncCode Code(Facts.In->context());
    const FunctionDecl *Body = Facts.Tile.Function;
    const AsyncOps *Ops = Code.of(Body);
    if (Ops && InFlight(Body, *Ops, Code).isCleanAt(Facts.Tile.Loop))
      Facts.AsyncBefore = nullptr;
  }
  bool Kernel = Facts.Tile.Function->hasAttr<CUDAGlobalAttr>();
  bool Communicates =
      Facts.After.readsShared() || Facts.After.writesShared() ||
      !Facts.After.Events.empty() ||
      (Facts.Compute.writesGlobal() && Facts.After.readsGlobal());
  // A rotated loop ends without a barrier in the input as well.
  Facts.Tile.BarrierAfter = !Facts.Tile.BarrierFirst &&
                            (!Kernel || Facts.InOuterLoop || Communicates);
  Facts.Tile.LeftBefore = !allThreadsCome(Facts);
}

} // namespace kpipe
