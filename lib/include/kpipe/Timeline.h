// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pipeline does, step by step, for a few tiles: a plain value that
// emission makes by running its schedule and that reports draw. It must not
// know how a schedule is written down.
#ifndef KPIPE_TIMELINE_H
#define KPIPE_TIMELINE_H

#include <tuple>
#include <vector>

namespace kpipe {

/// One step of one thread, with its tile and buffer resolved.
struct TimelineStep {
  /// Before the loop, in it, after it.
  enum class Phase { Prologue, Steady, Epilogue };
  enum class Kind {
    Load,    ///< issues the copies of Tile: asynchronous ones go to Buffer
    Commit,  ///< closes a group of asynchronous copies
    Store,   ///< Tile goes from registers to Buffer
    Wait,    ///< until at most Pending groups are in flight
    Barrier, ///< of the block
    Compute  ///< reads Tile in Buffer
  };
  Phase In = Phase::Prologue;
  Kind Do = Kind::Barrier;
  /// Load, Store, Compute: counts from 0.
  unsigned Tile = 0;
  /// Load, Store, Compute: which of the ring's buffers, from 0.
  unsigned Buffer = 0;
  /// Wait only: groups.
  unsigned Pending = 0;

  bool operator==(const TimelineStep &Other) const {
    return std::tie(In, Do, Tile, Buffer, Pending) ==
           std::tie(Other.In, Other.Do, Other.Tile, Other.Buffer,
                    Other.Pending);
  }
};

/// One run of a pipeline.
struct Timeline {
  /// Buffers per staged array.
  unsigned Buffers = 0;
  /// How many tiles the run computes.
  unsigned Tiles = 0;
  /// Some copies of a tile are asynchronous, some go through registers.
  bool Async = false, Registers = false;
  std::vector<TimelineStep> Steps;

  bool operator==(const Timeline &Other) const {
    return std::tie(Buffers, Tiles, Async, Registers, Steps) ==
           std::tie(Other.Buffers, Other.Tiles, Other.Async, Other.Registers,
                    Other.Steps);
  }
};

} // namespace kpipe

#endif // KPIPE_TIMELINE_H
