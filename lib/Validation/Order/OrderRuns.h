// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop as it was and as planned, run for some tiles, as positions: a barrier
// interval and a place within it for each access.
#ifndef KPIPE_VALIDATION_ORDERRUNS_H
#define KPIPE_VALIDATION_ORDERRUNS_H

#include "Emission/Schedule.h"
#include "LoopUses.h"

namespace kpipe {

/// Where an access stands in a run.
struct Position {
  /// Barrier intervals. They are counted by twos, so that what lies between two
  /// barriers of one statement has a number of its own.
  int First = 0, Last = 0;
  int Order = 0; ///< among the steps of one thread
};

/// The positions of both runs for one number of tiles.
class OrderRuns {
public:
  OrderRuns(const LoopUses &Of, const ScheduleShape &Shape, const Schedule &S,
            unsigned Trips);

  unsigned trips() const { return Trips; }
  /// The last intervals.
  int inEnd() const { return InEnd; }
  int outEnd() const { return OutEnd; }

  /// Where the loop makes the access for a tile.
  Position input(const Use &U, unsigned Tile) const;
  struct Placed {
    Position At;
    bool Ahead = false; ///< in the part that loads
  };
  /// Everywhere that the output makes the access for a tile.
  llvm::SmallVector<Placed, 3> output(const Use &U, unsigned Tile) const;

private:
  const LoopUses *Of;
  unsigned Trips = 0;
  int InEnd = 0, OutEnd = 0;
  std::vector<std::vector<Position>> In; ///< by tile and item
  std::vector<Position> Load, Store;     ///< by tile
  std::vector<std::vector<Position>> Compute;
  bool InFlight = false; ///< wgmma of a tile, while the next one is computed

  void runInput();
  void runOutput(const ScheduleShape &Shape, const Schedule &S);
  /// Runs the compute of a tile from an interval; that in which it ends.
  int compute(unsigned Tile, int Interval, int Order);
  /// Of an access that wgmma in flight may make until the next tile's are
  /// issued and waited for.
  Position untilWait(const Use &U, unsigned Tile, Position P) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_ORDERRUNS_H
