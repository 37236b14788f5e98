// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does unrolling leave every bit of a tile loop's results as it is? A compiler
// fuses products with sums (FMA), and which it fuses may depend on what stands
// side by side.
#ifndef KPIPE_METRICS_SUMS_H
#define KPIPE_METRICS_SUMS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Why a sum may change; empty if none does.
struct SumsVerdict {
  Message Why;
  clang::SourceLocation Where;
};

/// Would the same products be fused with the same sums whichever loops of the
/// compute region are unrolled? Holds for nvcc with any of its options on
/// floating point. docs/notes/contraction.md has the proof.
/// \param Facts of a tile loop.
SumsVerdict unrollingKeepsSums(const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_METRICS_SUMS_H
