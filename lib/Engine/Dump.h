// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readable dumps of what the boxes hand on, for `analyze --dump=` and lit
// tests, and the filling of a report's row. Decides nothing.
#ifndef KPIPE_ENGINE_DUMP_H
#define KPIPE_ENGINE_DUMP_H

#include "Metrics/Sums.h"
#include "Recognition/Body/LoopFacts.h"
#include "kpipe/Engine.h"
#include "kpipe/Plan.h"

namespace kpipe {

std::string dumpTileLoop(const LoopFacts &Facts);
std::string dumpLegality(const std::vector<Diagnostic> &Violated);
/// Ratio is the compute/load ratio, empty if it is not known.
std::string dumpPlan(const TileLoop &Loop, const PipelinePlan &Plan,
                     std::optional<double> Ratio);

/// Whether unrolling the short loops of the compute region leaves its sums as
/// they are; empty if there are none.
std::string dumpSums(const LoopFacts &Facts, const SumsVerdict &Sums);

/// Fills Outcome.Report from everything else; Plan may be null.
void fillReport(LoopOutcome &Outcome, const LoopFacts &Facts,
                const PipelinePlan *Plan, const KernelShape &Kernel,
                const ArchLimits &Arch, clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_ENGINE_DUMP_H
