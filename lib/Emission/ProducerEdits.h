// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel and its launches say of the threads of a block keeps its meaning
// where a warp more brings the tiles: as edits of their text.
#ifndef KPIPE_EMISSION_PRODUCEREDITS_H
#define KPIPE_EMISSION_PRODUCEREDITS_H

#include "RuntimeCalls.h"
#include "SourceText.h"
#include "kpipe/Plan.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// `k<<<grid, kpipe::with_producer(256)>>>`, `if (threadIdx.x < 256)` above
/// statements in front of the loop, `(blockDim.x - 32)`, barriers of the author's
/// threads, and the bounds of the kernel. Fails where a macro hides one of them.
llvm::Expected<std::vector<Edit>> producerEdits(const ProducerWarp &Producer,
                                                const SourceText &Source,
                                                llvm::StringRef Unit,
                                                RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_PRODUCEREDITS_H
