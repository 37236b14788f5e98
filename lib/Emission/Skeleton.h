// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule as text: prologue, loop and epilogue around calls of the lambdas
// that hold the author's statements. Knows nothing of those statements.
#ifndef KPIPE_EMISSION_SKELETON_H
#define KPIPE_EMISSION_SKELETON_H

#include "Advance.h"
#include "RuntimeCalls.h"
#include "Schedule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace kpipe {

/// The call of one lambda, with its semicolon. Values: of the header's
/// variables for the tile; Stage: makes the text of where the tile is, for
/// lambdas that are told. Where several tiles wait in registers, the calls of
/// load and store name the slot, too.
using TileCall =
    std::function<std::string(llvm::ArrayRef<std::string> Values,
                              llvm::function_ref<std::string()> Stage)>;

/// The words of which a skeleton is made.
struct SkeletonText {
  const TileLoop &Loop;
  const HeaderText &Header;
  SkeletonText(const TileLoop &Loop, const HeaderText &Header)
      : Loop(Loop), Header(Header) {}
  /// Variables that run ahead; not used by schedules with one tile on its way.
  CursorText Cursor;
  /// `has_tile`, `next_tile`: functions that stand for conditions and updates
  /// which a macro hides; empty if none is needed.
  std::string HasTile, NextTile;
  TileCall Load, Store, Compute;
  std::string Barrier; ///< as the author writes it
  std::string Touch;   ///< for measurements: a statement that reads nothing
  std::string Stage;   ///< the stage variable
  /// The mbarriers of the stage variable's stage.
  llvm::SmallVector<std::string, 2> Full;
  std::string Parity;  ///< the variable that says for which phase to wait
  /// Of a producer's warp: the mbarriers of stages that are free, how many
  /// threads are in front of it, and the line that says so.
  std::string Empty, Produces;
  unsigned Authors = 0;
  /// Registers of a thread that the producer's keep and the author's take; 0:
  /// nobody gives or takes any.
  unsigned Keeps = 0, Takes = 0;
  bool StageIsDeclared = false;
  unsigned Stages = 2;
  /// Names for the counter of fills, and of the tiles that wait in registers,
  /// and for a condition.
  std::string Slot, More;
  /// Lines that go above the loop, each with its newline, as they stood above
  /// the author's loop, which was indented so.
  std::string Pragma, PragmaFrom;
  unsigned Unroll = 0; ///< by how much the loop is unrolled; 0: not told
  std::string Comment; ///< the line above the loop of tiles that marks it
  std::string Indent, Unit; ///< of the block that the skeleton stands in
};

/// The text of a valid schedule, whole lines.
std::string skeletonText(const Schedule &S, const SkeletonText &Text,
                         RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_SKELETON_H
