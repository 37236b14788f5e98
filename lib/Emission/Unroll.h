// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pragmas above loops of the author's.
#ifndef KPIPE_EMISSION_UNROLL_H
#define KPIPE_EMISSION_UNROLL_H

#include "SourceText.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// Puts `#pragma unroll` above a loop; nothing where the author has one.
std::optional<Edit> unrollFully(const clang::ForStmt *F,
                                const SourceText &Source);

/// The same for the loops of the compute region, where the plan asks for it:
/// in the region itself and in the functions that it calls.
std::vector<Edit> unrollCompute(const TileLoop &Loop, const PipelinePlan &Plan,
                                const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_UNROLL_H
