// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement does at one mbarrier, from the tree alone: it is
// initialised, a thread arrives, or waits for the phase of a parity. Private to
// the validation.
#ifndef KPIPE_LIB_VALIDATION_MBARRIERMEANING_H
#define KPIPE_LIB_VALIDATION_MBARRIERMEANING_H

#include "AsyncMeaning.h"

namespace kpipe {

/// \param F a function of the author's, not one that is read as if it stood in
/// another.
/// \returns none where T does anything else, or is not understood. No event
/// where it is a fence.
std::optional<std::vector<AsyncEvent>> mbarrierStatement(const Tree &T,
                                                         const Frame &F);

/// The name of the barrier whose address a number or a pointer is; null where
/// that is not known. \param Key how the barrier is called, see barrierIn();
/// empty for one of an array, where it is not known which.
const Tree *barrierAt(const Tree &Address, const Frame &F, std::string &Key);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_MBARRIERMEANING_H
