// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the statements of a loop's body between load and compute by program
// slicing: a statement runs with the load if a copy depends on it, with the
// compute if the compute depends on it, with both if it is pure.
#ifndef KPIPE_RECOGNITION_SLICES_H
#define KPIPE_RECOGNITION_SLICES_H

#include "LoopFacts.h"

namespace kpipe {

/// Sets InLoad and InCompute of every item, PrivateToLoad, the readers of each
/// header variable, and Facts.Load, Compute and Variant. Front tells the items
/// that stand before the load's barrier; Copies those that store tiles. A value
/// that flows from compute to load, or from a copy to compute, becomes a
/// `carried-scalar` finding.
void sliceBody(LoopFacts &Facts, const llvm::SmallVectorImpl<bool> &Front,
               const llvm::SmallVectorImpl<bool> &Copies);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SLICES_H
