// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all threads of a block come to a loop. Private to the recognition.
#ifndef KPIPE_RECOGNITION_WHOCOMES_H
#define KPIPE_RECOGNITION_WHOCOMES_H

#include "LoopFacts.h"

namespace kpipe {

/// Does every thread of the block come to each run of the loop? In a function
/// that is no kernel: by each of its calls, from the kernels on.
bool allThreadsCome(const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_WHOCOMES_H
