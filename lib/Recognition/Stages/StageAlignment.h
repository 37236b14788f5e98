// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The alignment that a kernel's code relies on where it uses a staged buffer:
// the stages behind the first one have to have it too.
#ifndef KPIPE_RECOGNITION_STAGEALIGNMENT_H
#define KPIPE_RECOGNITION_STAGEALIGNMENT_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Bytes: of the element, of what pointers and references into the buffer are
/// cast to, of wmma and ldmatrix rows. Where an address is used as a number, all
/// that the author declared.
/// \pre what the calls of the function give for a parameter is in B.Given.
unsigned alignmentOf(const StagedBuffer &B, const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STAGEALIGNMENT_H
