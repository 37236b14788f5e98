// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in registers that the load uses for itself and the compute for itself:
// each fills the elements that it reads, so that nothing is handed over.
#ifndef KPIPE_RECOGNITION_PRIVATEARRAYS_H
#define KPIPE_RECOGNITION_PRIVATEARRAYS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Notes in the effects of the items that such arrays begin anew with the first
/// item of either side that writes them.
/// \param Front the items of the load's side, parallel to the body.
void findPrivateArrays(LoopFacts &Facts,
                       const llvm::SmallVectorImpl<bool> &Front);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PRIVATEARRAYS_H
