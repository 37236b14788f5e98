// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarriers of a bulk tile have stages as its arrays have: where the author
// initialises one, all of its stages are.
#ifndef KPIPE_EMISSION_BARRIERSTAGES_H
#define KPIPE_EMISSION_BARRIERSTAGES_H

#include "Stages.h"

namespace kpipe {

/// `mbar_init(&full, 1);` becomes `for (int stage = 0; stage < 3; ++stage)
/// mbar_init(&full_stages[stage], 1);`.
std::vector<Edit> initialiseStages(const TileLoop &Loop,
                                   const PipelinePlan &Plan,
                                   const SourceText &Source,
                                   const StageNames &Stages,
                                   llvm::StringRef Unit, RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_BARRIERSTAGES_H
