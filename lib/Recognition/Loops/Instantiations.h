// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bodies of one text (the instantiations of a template) know about
// their loops can differ where one edit has to serve them all: only what holds
// for each of them is kept.
#ifndef KPIPE_RECOGNITION_INSTANTIATIONS_H
#define KPIPE_RECOGNITION_INSTANTIATIONS_H

#include "Recognition/Body/LoopFacts.h"
#include "llvm/ADT/ArrayRef.h"

namespace kpipe {

/// Agrees on the parts of copy loops that need no condition, on the loops that
/// may be unrolled, on the temporaries that are not needed, on the registers
/// that branches share, on the barriers that the compute keeps, and on the
/// buffers whose contents are copied to all stages.
void keepWhatAllKnow(llvm::MutableArrayRef<LoopFacts> Bodies);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_INSTANTIATIONS_H
