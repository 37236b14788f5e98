// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recognition learns of one loop on the way to a TileLoop, and what the
// rules of legality read: effects per statement, the slices of load and
// compute, and the conflicts between them. Shared by recognition and legality.
#ifndef KPIPE_RECOGNITION_LOOPFACTS_H
#define KPIPE_RECOGNITION_LOOPFACTS_H

#include "Code/AstUtils.h"
#include "Code/Effects.h"
#include "kpipe/Obstacle.h"
#include "kpipe/TileLoop.h"
#include <memory>

namespace kpipe {

struct LoopFacts {
  TileLoop Tile;
  std::shared_ptr<Scope> In;
  /// Parallel to Tile.Body.
  llvm::SmallVector<Effects, 16> Items;
  /// Parallel to Tile.Body: items whose declarations each item names.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> Named;
  Effects Header; ///< condition and step
  Effects Load;   ///< everything that would run ahead, in order
  Effects Compute;
  Effects Body;  ///< the input's body as it stands
  Effects After; ///< what can run after the loop in the same function
  bool InOuterLoop = false;
  /// The author's last asynchronous copy before the loop, if it is not drained.
  const clang::Stmt *AsyncBefore = nullptr;
  /// The statement whose barrier would end the tile, if it were plain.
  const clang::Stmt *NearlyEnd = nullptr;
  /// Variables whose value differs between iterations, as the load sees them.
  VarSet Variant;
  /// Found while recognising; legality adds its own.
  llvm::SmallVector<Obstacle, 2> Obstacles;
  /// False if the loop is no tile loop at all: Findings then hold one
  /// `not-a-tile-loop` and the other members are incomplete.
  bool IsTileLoop = false;
  /// And nothing in it can be the load of one: no shared array is filled from
  /// global memory for use behind a barrier.
  bool LoadsNoTile = false;
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_LOOPFACTS_H
