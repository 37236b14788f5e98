// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel's speed is with so many blocks or warps on an SM, as numbers.
// docs/registers.md says where they are from; test/bench/lost_blocks.py measures
// them and prints such rows.
#ifndef KPIPE_LIB_PLANNING_LOSTBLOCKS_H
#define KPIPE_LIB_PLANNING_LOSTBLOCKS_H

namespace kpipe::model {

/// Of its speed with as many blocks or warps as it likes, what a pipelined
/// kernel has with at most so many on an SM.
struct SpeedRow {
  unsigned AtMost;
  double Speed;
  /// On a GPU. What was not is set so that a block is rather kept.
  bool Measured;
};

/// With one block nothing runs while it waits at a barrier. Of public kernels
/// that fell from two blocks to one, three took 1.25 to 1.6 times as long as
/// with their registers capped; 6 -> 3 and 5 -> 3 cost less than pipelining
/// gained (1.15 and 1.11).
constexpr SpeedRow SpeedByBlocks[] = {
    {1, 0.66, true}, {2, 0.88, false}, {3, 0.97, false}, {4, 0.99, false}};

constexpr SpeedRow SpeedByWarps[] = {
    {4, 0.50, false}, {8, 0.80, false}, {12, 0.94, false}, {16, 0.97, false}};

/// A pipeline that gains no more than this is not worth what it costs: the
/// least of what most measured programs gain.
constexpr double LeastGain = 1.05;

} // namespace kpipe::model

#endif // KPIPE_LIB_PLANNING_LOSTBLOCKS_H
