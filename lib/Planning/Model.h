// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers behind `auto`. They are fitted to measured programs:
// `test/bench/fit.py` reads them from this file, and finds whether others would
// have chosen better. docs/planning.md says what each decision is.
#ifndef KPIPE_LIB_PLANNING_MODEL_H
#define KPIPE_LIB_PLANNING_MODEL_H

#include <cstdint>

namespace kpipe::model {

/// Copies of this many bytes go through cp.async; smaller ones are faster
/// through registers.
constexpr unsigned AsyncBytes = 16;

/// Tensor cores are through with a tile of this many bytes, or of no more than
/// this many operations per byte, sooner than the next one is there, so that
/// one more stage pays.
constexpr uint64_t DeepTileBytes = 16384;
constexpr double DeepRatio = 64;
constexpr unsigned DeepStages = 3;

/// What setmaxnreg takes; a multiple of 8.
constexpr unsigned LeastMovedRegisters = 24, MostMovedRegisters = 256;

/// Of tiles that the copy engine brings: four where the wgmma of one stay in
/// flight (700 TFLOP/s of 4096 cubed in bf16 on an H200; three have 697), else
/// three (613; four have 612). Four for rows of streams, by hand.
constexpr unsigned BulkStagesInFlight = 4, BulkStages = 3, BulkStagesOfRows = 4;

/// So many blocks of wgmma share an SM, and one multiplies while the others
/// wait for their tiles: with 4 to 8 blocks, rings of two to four stages ran at
/// 0.74 to 1.08 times the speed of the one stage, 8192 cubed at 0.85 to 0.99
/// (H200, docs/hopper.md). With two blocks at 1.30 times.
constexpr unsigned BulkBlocksThatHide = 4;

/// Of plain tiles that wgmma read: two on their way (649 TFLOP/s of 4096 cubed
/// in bf16 on an H200 with four stages and one group in flight, 586 guarded;
/// three stages, drained, have 548; as written it has 295).
constexpr unsigned MatrixStagesInFlight = 4, MatrixStages = 3;

/// Tensor cores are served better by a loop that computes the last tiles too,
/// if tiles are smaller than this many bytes.
constexpr uint64_t GuardedTileBytes = 16384;

/// A short loop that nobody has said how to unroll stays a loop for nvcc if the
/// compute region has this many operations a thread or more. It is better
/// served where its code stands once: nvcc takes out of both copies what they
/// have in common, and computes addresses anew in each step.
constexpr double RolledOperations = 1024;

/// Registers of a tile in 16-byte copies, and operations per byte, from which
/// on the FMA units are better served through registers on sm_90; and the
/// operations per byte from which on a tile is brought seldom, and registers
/// are better left to the compute (240: 0.97 of the original's speed through
/// registers, 1.02 by cp.async; 304: 0.96 and 1.02).
constexpr unsigned WideRegisters = 8;
constexpr double WideRatio = 64;
constexpr double MostWideRatio = 200;

} // namespace kpipe::model

#endif // KPIPE_LIB_PLANNING_MODEL_H
