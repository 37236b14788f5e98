// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last byte that a tile's copies store, see TileReach.h.

#include "TileReach.h"
#include "Code/SharedReach.h"

using namespace clang;

namespace kpipe {

/// Of one copy: the byte behind the last one that it may store.
static std::optional<uint64_t> reachOf(const TileCopy &C, SharedReach &Reach) {
  // What a helper's parameters are differs from call to call.
  if (C.Helper)
    return std::nullopt;
  for (const CopyLoop &L : C.Loops)
    Reach.enter(L.For);
  auto Place = Reach.lvalue(C.Dst);
  for (unsigned I = 0; I != C.Loops.size(); ++I)
    Reach.leave();
  auto Size = Reach.sizeOf(C.Dst->getType());
  if (!Place || Place->Low < 0 || !Size)
    return std::nullopt;
  return Place->High + *Size;
}

std::optional<uint64_t> tileReach(const LoopFacts &Facts, unsigned Buffer,
                                  Values &Known, Extent3 Axes) {
  SharedReach Reach(Facts.Tile.Buffers[Buffer].Var, Facts.In->context(), Known,
                    Axes);
  uint64_t Most = 0;
  for (const TileCopy &C : Facts.Tile.Copies) {
    if (C.Buffer != Buffer)
      continue;
    auto End = reachOf(C, Reach);
    if (!End)
      return std::nullopt;
    Most = std::max(Most, *End);
  }
  return Most;
}

} // namespace kpipe
