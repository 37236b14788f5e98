// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel's speed is with so many blocks or warps on an SM, as numbers.
// docs/registers.md says where they are from; test/bench/lost_blocks.py measures
// more and prints such rows.
#ifndef KPIPE_LIB_PLANNING_LOSTBLOCKS_H
#define KPIPE_LIB_PLANNING_LOSTBLOCKS_H

namespace kpipe::model {

/// Of its speed with as many blocks or warps as it likes, what a pipelined
/// kernel has with at most so many on an SM. Blocks count against those that
/// there were; so many warps have to be left.
struct SpeedRow {
  unsigned AtMost;
  double Speed;
  /// On a GPU. What was not is set so that a block is rather kept.
  bool Measured;
};

/// With one block nothing runs while it waits at a barrier: 2 -> 1 took 0.66 to
/// 0.89 of the speed. 3 -> 2 and 8 -> 3 did not show beside what else differed.
constexpr SpeedRow SpeedByBlocks[] = {
    {1, 0.79, true}, {2, 0.97, true}, {3, 0.98, true}};

/// The medians of test/bench/measured/lost_blocks_h100.json. Its 0.78 with 8
/// warps is that of loops that only stream, too; of the programs that were
/// measured against their originals, those left with 8 gained (attention, 1.17).
/// So the row ends below 8.
constexpr SpeedRow SpeedByWarps[] = {{4, 0.52, true}, {7, 0.78, true}};

/// Blocks that are left of eight, at least. Fewer were not measured.
constexpr unsigned LeastOfEight = 3;

/// A pipeline that gains no more than this is not worth what it costs: what
/// most measured programs gain at least.
constexpr double LeastGain = 1.05;

/// A thread has no more registers. Of seven measured forms whose unrolled loops
/// took all of them, four were slower than rolled, down to 0.87; of 41 that took
/// fewer and lost no block, none was (1.00 to 1.17).
constexpr unsigned MostRegisters = 255;

/// Blocks and warps on an SM that keep 0.95 of the speed of more in
/// lost_blocks_h100.json. A form that is no mend of the plan may take blocks of
/// it down to these. On the H200 four forms that were unrolled for 3 -> 2 blocks
/// gained (1.02 to 1.19); so few are not taken from a plan that is good.
constexpr unsigned HidingBlocks = 3, HidingWarps = 16;

/// Where no minimum of blocks is asked for, ptxas saves registers in which it
/// could have kept loads in flight. Told that few blocks will do, it took 1.37
/// and 1.62 times as many for two programs, which gained 1.22 and 1.015, and 1.10
/// times as many for one that did not gain. What cp.async brings waits in none:
/// with 1.23 times as many a grid of potentials had 0.97 in the place of 1.02.
constexpr double ManyMoreRegisters = 1.2;

/// Two stages that cost blocks are better than one buffer where all copies are
/// asynchronous and a byte is used for so many operations: 1.11 and 0.99 in an
/// SGEMM, 6.6 and 7.7 in a GEMV.
constexpr double RingRatio = 8;

/// A peeled loop has its compute region twice, and nvcc takes out of both what
/// they have in common, which can cost more in each step than it saves. Where
/// an inner loop took 1.26 to 1.29 times the author's instructions, the guarded
/// loop, with as many as the author's, was 1.16 to 1.24 times as fast. Of 14
/// programs no other peeled loop took more than 1.1 times as many and a guarded
/// one fewer (docs/registers.md).
constexpr double WorseCode = 1.1, LeanerCode = 1.08;

} // namespace kpipe::model

#endif // KPIPE_LIB_PLANNING_LOSTBLOCKS_H
