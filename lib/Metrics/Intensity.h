// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compute/load ratio of a tile loop: arithmetic operations of its compute
// region per byte that its load region copies, for one tile of one block.
// Knows no architectures and no plans.
#ifndef KPIPE_METRICS_INTENSITY_H
#define KPIPE_METRICS_INTENSITY_H

#include "Recognition/Body/LoopFacts.h"
#include <array>

namespace kpipe {

/// What is known of a block: its extent, or only how many threads it has.
struct BlockSize {
  std::optional<std::array<unsigned, 3>> Extent;
  std::optional<unsigned> Threads;
};

/// Does a function, or one that it calls, use more axes of its block than x?
bool usesOtherAxes(const clang::FunctionDecl *F);

/// Operations per byte for one tile, or nothing if a trip count or a share of
/// threads cannot be told.
///
/// Counted are operations on data: all of floating point, and integer ones on
/// values that come from memory; a multiply-add is two, wmma and mma.sync
/// count by their shape, indices and comparisons of them not at all. For
/// a matrix product with a block tile of BM × BN × BK that is
/// 2·BM·BN·BK / ((BM·BK + BK·BN) · sizeof(T)). Bytes are those that the copies
/// store to staged arrays; conditions that depend on more than constants and
/// thread indices are taken to hold, as in a full tile.
std::optional<double> computeLoadRatio(const LoopFacts &Facts,
                                       const BlockSize &Block);

} // namespace kpipe

#endif // KPIPE_METRICS_INTENSITY_H
