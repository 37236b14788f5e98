// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a compute region multiplies matrices on tensor cores.
#ifndef KPIPE_RECOGNITION_TENSORCORES_H
#define KPIPE_RECOGNITION_TENSORCORES_H

#include "LoopFacts.h"

namespace kpipe {

/// Finds out whether the compute region uses tensor cores (Tile.TensorCores).
void findTensorCores(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_TENSORCORES_H
