// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums the work of one tile over the threads of a block, see Intensity.h. Where no
// condition and no trip count asks for the thread, one walk stands for all.

#include "Intensity.h"
#include "DataFlow.h"
#include "TileWork.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace kpipe {

bool usesOtherAxes(const FunctionDecl *F) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
    bool VisitMSPropertyRefExpr(const MSPropertyRefExpr *E) override {
      const Expr *Base = E->getBaseExpr();
      while (const auto *O = dyn_cast<OpaqueValueExpr>(Base))
        Base = O->getSourceExpr();
      if (const auto *D = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts()))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          Found |= (V->getName() == "threadIdx" ||
                    V->getName() == "blockDim") &&
                   E->getPropertyDecl()->getName() != "x";
      return true;
    }
    bool VisitCallExpr(const CallExpr *C) override {
      const FunctionDecl *Body = nullptr;
      if (const FunctionDecl *F = C->getDirectCallee();
          F && F->hasBody(Body) && Visited.insert(Body).second)
        TraverseStmt(Body->getBody());
      return true;
    }
  } F_;
  F_.TraverseStmt(F->getBody());
  return F_.Found;
}

std::optional<double> computeLoadRatio(const LoopFacts &Facts,
                                       const BlockSize &Block) {
  const TileLoop &Tile = Facts.Tile;
  llvm::SmallVector<const Stmt *, 16> Load, Compute;
  llvm::DenseMap<const Stmt *, unsigned> Copies;
  DataFlow Data;
  for (const BodyItem &I : Tile.Body) {
    if (I.Barrier)
      continue;
    if (I.InLoad)
      Load.push_back(I.S);
    if (I.InCompute) {
      Compute.push_back(I.S);
      Data.learn(I.S);
    }
  }
  for (const TileCopy &C : Tile.Copies)
    Copies[C.Store] = C.Bytes;

  TileWork W(Facts.In->context(), Data, Copies);
  std::optional<Extent3> Extent = Block.Extent;
  if (!Extent && Block.Threads && !usesOtherAxes(Tile.Function))
    Extent = Extent3{*Block.Threads, 1, 1};
  // Work of the whole block, in threads' worth of work.
  auto Sum = [&](llvm::ArrayRef<const Stmt *> Items) -> std::optional<Work> {
    auto Any = W.count(Items, Extent, std::nullopt);
    if (Any && !W.askedForThread())
      return Any;
    if (!Extent)
      return Any;
    Work Block;
    double Threads = double((*Extent)[0]) * (*Extent)[1] * (*Extent)[2];
    for (unsigned Z = 0; Z != (*Extent)[2]; ++Z)
      for (unsigned Y = 0; Y != (*Extent)[1]; ++Y)
        for (unsigned X = 0; X != (*Extent)[0]; ++X) {
          auto One = W.count(Items, Extent, Extent3{X, Y, Z});
          if (!One)
            return std::nullopt;
          Block.add(*One, 1 / Threads);
        }
    return Block;
  };
  auto Loaded = Sum(Load), Computed = Sum(Compute);
  if (!Loaded || !Computed || Loaded->Bytes == 0)
    return std::nullopt;
  return Computed->Operations / Loaded->Bytes;
}

} // namespace kpipe
