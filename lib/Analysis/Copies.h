// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the stores of a load region into staged buffers, in the body itself
// and in the helper functions that it calls, and tells of each what it copies,
// under which guard, and whether its shape allows an asynchronous copy.
#ifndef KPIPE_ANALYSIS_COPIES_H
#define KPIPE_ANALYSIS_COPIES_H

#include "LoopFacts.h"

namespace kpipe {

/// Fills Tile.Buffers and Tile.Copies from the items that are InLoad and store
/// to shared memory. Shared stores that are no assignments become a
/// `load-effects` finding, read-modify-writes a `carried-shared` one.
void findCopies(LoopFacts &Facts);

/// Decides whether copies may be asynchronous, which have no order among each
/// other (TileCopy::NotAsync), and whether their addresses may be computed
/// where their guards fail (TileCopy::AddressIsFree).
void checkAsyncCopies(LoopFacts &Facts);

/// Decides for each buffer whether it may become a ring (StagedBuffer::NoRing)
/// and the alignment that accesses rely on.
void findRings(LoopFacts &Facts);

/// Decides for each buffer whether its declaration can become a part of dynamic
/// shared memory (StagedBuffer::NotDynamic).
void findMovable(LoopFacts &Facts);

/// Finds out whether the compute region uses tensor cores (Tile.TensorCores).
void findTensorCores(LoopFacts &Facts);

/// Finds the loops that --unroll=compute unrolls (Tile.Unrollable).
void findUnrollable(LoopFacts &Facts);

/// Fills PlaceNeeds and ValueNeeds of each copy and decides whether the load
/// region can be split into fetch and store (Tile.NotSplittable).
void checkSplit(LoopFacts &Facts);

/// Index, bounds and step of a loop around a copy; Trips is 0 if it is not
/// counted by constants.
CopyLoop describeCopyLoop(const clang::ForStmt *F, const Scope &In);

/// Constant value of E in the analysed instantiation.
std::optional<int64_t> constantValue(const clang::Expr *E,
                                     const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_ANALYSIS_COPIES_H
