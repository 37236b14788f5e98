// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the loop reach a buffer by other names than those that get stages? Read
// from the author's tree, for buffers that are used outside the loop as well.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_OUTSIDENAMES_H
#define KPIPE_LIB_VALIDATION_OUTSIDENAMES_H

#include "Validation/Trees/Tree.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// \param Function the author's. \param Loop the loop's node in it.
/// \returns the first node by which an address of the buffer may get into the
/// loop; null if there is none.
const Tree *otherWayIn(const Tree &Function, const Tree &Loop,
                       const StagedBuffer &Buffer);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_OUTSIDENAMES_H
