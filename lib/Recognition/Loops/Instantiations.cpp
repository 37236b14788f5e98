// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all bodies of one text know, see Instantiations.h.

#include "Instantiations.h"
#include "Recognition/TileCopies/Copies.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// A loop that may be partial in B may be so in the text.
static void agreeOnParts(TileLoop &A, const TileLoop &B) {
  for (auto [Mine, Other] : llvm::zip(A.Copies, B.Copies))
    for (auto [L, O] : llvm::zip(Mine.Loops, Other.Loops))
      L.Partly = std::min(L.Partly, O.Partly);
}

static void agreeOnUnrolling(TileLoop &A, const TileLoop &B) {
  llvm::erase_if(A.Unrollable, [&](const ForStmt *F) {
    return llvm::none_of(B.Unrollable, [&](const ForStmt *O) {
      return O->getForLoc() == F->getForLoc();
    });
  });
}

/// A variable that one body needs stands in the text of all.
static void agreeOnTemporaries(LoopFacts &A, const TileLoop &B) {
  for (auto [Mine, Other] : llvm::zip(A.Tile.Copies, B.Copies))
    if (!Other.Via.Var && Mine.Via.Var) {
      keepTemporary(Mine);
      keepAsyncOrder(A);
    }
}

/// Registers that one body cannot share are apart in the text of all.
static void agreeOnSharing(TileLoop &A, const TileLoop &B) {
  for (unsigned I = 0; I < A.Copies.size() && I < B.Copies.size(); ++I)
    if (A.Copies[I].SharesRegisters != B.Copies[I].SharesRegisters)
      A.Copies[I].SharesRegisters = I;
}

/// A barrier that the compute of one body needs stands in the text of all.
static void agreeOnBarriers(TileLoop &A, const TileLoop &B) {
  for (BodyItem &Mine : A.Body)
    for (const BodyItem &Other : B.Body)
      if (Mine.Barrier && Other.Barrier && Other.InCompute &&
          Mine.S->getBeginLoc() == Other.S->getBeginLoc())
        Mine.InCompute = true;
}

/// What is copied around the loop of one body is copied in the text of all.
static void agreeOnContents(TileLoop &A, const TileLoop &B) {
  for (auto [Mine, Other] : llvm::zip(A.Buffers, B.Buffers))
    if (Other.KeepsContents && !Mine.KeepsContents && Mine.NoRing.empty()) {
      Mine.NoRing = {msg::used_before_loop, quoted(Mine.Var)};
      Mine.NoRingLoc = Mine.Var->getLocation();
    }
}

void keepWhatAllKnow(llvm::MutableArrayRef<LoopFacts> Bodies) {
  for (LoopFacts &A : Bodies)
    for (const LoopFacts &B : Bodies) {
      agreeOnParts(A.Tile, B.Tile);
      agreeOnUnrolling(A.Tile, B.Tile);
      agreeOnTemporaries(A, B.Tile);
      agreeOnSharing(A.Tile, B.Tile);
      agreeOnBarriers(A.Tile, B.Tile);
      agreeOnContents(A.Tile, B.Tile);
    }
}

} // namespace kpipe
