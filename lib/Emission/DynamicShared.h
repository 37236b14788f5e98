// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory in the text. Staged arrays that move there: their
// declarations, the count of their bytes in front of the kernel, and its
// launches. And launches of a kernel that has its staged arrays there already.
#ifndef KPIPE_EMISSION_DYNAMICSHARED_H
#define KPIPE_EMISSION_DYNAMICSHARED_H

#include "Names.h"
#include "SourceText.h"
#include "Stages.h"
#include "kpipe/Plan.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// `__shared__ float As[BM]` becomes a reference to a part of an `extern
/// __shared__` array, named by \p Staged; the launches of \p Plan opt in to the
/// bytes. Sorted.
std::vector<Edit> moveToDynamicShared(const TileLoop &Loop,
                                      const PipelinePlan &Plan,
                                      const SourceText &Source,
                                      llvm::ArrayRef<StagedName> Staged,
                                      Names &Fresh, RuntimeCalls &Calls);

/// What `kpipe::staged_bytes<…>` and `bytes_per_stage<…>` are given: the number
/// of stages, and their alignment where that is not the usual one.
std::string stagesArgument(const PipelinePlan &Plan);

/// `k<<<g, b, bytes>>>` becomes `k<<<g, b, kpipe::staged_bytes<2>(bytes)>>>`
/// for each count of \p Plan.Grown, opting in where Plan.After does. Fails if
/// a count is hidden in a macro.
llvm::Expected<std::vector<Edit>> growLaunches(const PipelinePlan &Plan,
                                               const SourceText &Source,
                                               RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_DYNAMICSHARED_H
