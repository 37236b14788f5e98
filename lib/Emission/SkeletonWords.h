// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of one loop's skeleton: calls of its lambdas, its barrier,
// variables that run ahead of the header's.
#ifndef KPIPE_EMISSION_SKELETONWORDS_H
#define KPIPE_EMISSION_SKELETONWORDS_H

#include "Lambdas.h"

namespace kpipe {

/// \param Shape of the schedule \p S.
/// \param Out gets functions that stand for what a macro hides of the header.
SkeletonText skeletonWords(const TileLoop &Loop, const PipelinePlan &Plan,
                           const SourceText &Source, const HeaderText &Header,
                           const StageNames &Stages, const Lambdas &Calls,
                           const ScheduleShape &Shape, const Schedule &S,
                           Names &Fresh, RuntimeCalls &Runtime, Lines &Out);

} // namespace kpipe

#endif // KPIPE_EMISSION_SKELETONWORDS_H
