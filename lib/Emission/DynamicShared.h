// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staged arrays that move to dynamic shared memory: their declarations, the
// count of their bytes in front of the kernel, and its launches.
#ifndef KPIPE_EMISSION_DYNAMICSHARED_H
#define KPIPE_EMISSION_DYNAMICSHARED_H

#include "Names.h"
#include "SourceText.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// `__shared__ float As[BM]` becomes a reference to a part of an `extern
/// __shared__` array, so that every mention of it stays as it is; the launches
/// of \p Plan opt in to the bytes. Sorted.
std::vector<Edit> moveToDynamicShared(const TileLoop &Loop,
                                      const PipelinePlan &Plan,
                                      const SourceText &Source, Names &Fresh);

} // namespace kpipe

#endif // KPIPE_EMISSION_DYNAMICSHARED_H
