// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OwnElements.h.
#include "OwnElements.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct Mentions : ConstDynamicRecursiveASTVisitor {
  explicit Mentions(const VarDecl *V) : V(V) {}
  const VarDecl *V;
  unsigned Count = 0;
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Count += D->getDecl() == V;
    return true;
  }
};

unsigned mentionsIn(const Stmt *S, const VarDecl *V) {
  Mentions M(V);
  M.TraverseStmt(S);
  return M.Count;
}

/// The block meets at it, and it does nothing else.
bool isBarrier(const LoopFacts &Facts, unsigned Item) {
  return Facts.Tile.Body[Item].Barrier &&
         Facts.Items[Item].isOnlyBlockBarrier();
}

} // namespace

Message otherUse(const LoopFacts &Facts, const TileBox &Box) {
  const TileLoop &Loop = Facts.Tile;
  const VarDecl *Array = Loop.Buffers[Box.Buffer].Var;
  if (Loop.Matrix)
    return {msg::remap_matrix};
  if (mentionsIn(Loop.Function->getBody(), Array) !=
      mentionsIn(Loop.Loop, Array))
    return {msg::remap_used_outside};
  if (Facts.Load.writesGlobal())
    return {msg::remap_stores_global};
  // Round the loop in both directions to the next barrier.
  const unsigned N = Loop.Body.size();
  for (bool Forward : {true, false})
    for (unsigned Item : Box.Items)
      for (unsigned Steps = 1;; ++Steps) {
        if (Steps > N)
          return {msg::remap_no_barrier};
        const unsigned I = Forward ? (Item + Steps) % N : (Item + N - Steps % N) % N;
        if (isBarrier(Facts, I))
          break;
        if (!llvm::is_contained(Box.Items, I) &&
            mentionsIn(Loop.Body[I].S, Array))
          return {msg::remap_no_barrier};
      }
  return {};
}

} // namespace kpipe
