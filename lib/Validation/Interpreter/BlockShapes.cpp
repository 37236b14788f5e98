// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guesses, see BlockShapes.h.

#include "BlockShapes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct AxisFinder : ConstDynamicRecursiveASTVisitor {
  bool Second = false;
  bool VisitMSPropertyRefExpr(const MSPropertyRefExpr *E) override {
    Second |= E->getPropertyDecl()->getName() == "y";
    return !Second;
  }
};

} // namespace

BlockShapes blockShapes(const FunctionDecl *F,
                        std::optional<std::array<unsigned, 3>> Block,
                        std::optional<unsigned> Threads) {
  BlockShapes Shapes;
  if (Block) {
    Shapes.push_back(*Block);
  } else {
    const unsigned N = Threads && *Threads <= 1024 ? *Threads : 256;
    AxisFinder Axes;
    Axes.TraverseStmt(F->getBody());
    if (Axes.Second)
      for (unsigned X : {16u, 32u, 8u})
        if (N % X == 0)
          Shapes.push_back({X, N / X, 1});
    if (Shapes.empty())
      Shapes.push_back({N, 1, 1});
  }
  if (llvm::any_of(Shapes, [](const std::array<unsigned, 3> &S) {
        return S[0] * S[1] * S[2] == 0;
      }))
    return {};
  return Shapes;
}

BlockShapes blockShapesOfAnySize(const FunctionDecl *F,
                                 std::optional<std::array<unsigned, 3>> Block,
                                 std::optional<unsigned> Threads) {
  BlockShapes Shapes = blockShapes(F, Block, Threads);
  if (!Block && !Threads)
    for (unsigned N : {64u, 32u})
      Shapes.append(blockShapes(F, Block, N));
  return Shapes;
}

} // namespace kpipe
