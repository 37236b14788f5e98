// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cures of may-alias as changes of the text that an editor can make. What
// they promise only the author knows.
#ifndef KPIPE_LEGALITY_ALIASFIXES_H
#define KPIPE_LEGALITY_ALIASFIXES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// The directive above the loop; then, where both are named by pointer
/// parameters of the loop's function, `__restrict__` for those.
/// \param Stored what the loop stores to.
/// \param Loaded what its load region reads.
/// \param Pointers a promise about the two pointers would do.
std::vector<Fix> aliasFixes(const LoopFacts &F, const MemoryRoot &Stored,
                            const MemoryRoot &Loaded, bool Pointers);

} // namespace kpipe

#endif // KPIPE_LEGALITY_ALIASFIXES_H
