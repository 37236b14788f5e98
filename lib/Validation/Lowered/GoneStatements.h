// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that may go with asynchronous operations, because what they do
// nobody sees then. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_GONESTATEMENTS_H
#define KPIPE_LIB_VALIDATION_GONESTATEMENTS_H

#include "Validation/Trees/Addresses.h"

namespace kpipe {

/// `for (int i = 0; i < 2; ++i)`: nothing but its own counter is changed.
bool isCountingLoop(const Tree &S);

/// Does making a variable do nothing that anybody sees: a barrier, a group, a
/// value, an address?
bool isQuietObject(const Tree &V, const Frame &F);

/// `phase ^= 1`, `phase = !phase`: the variable, if that is all; else 0.
unsigned steppedBy(const Tree &S);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_GONESTATEMENTS_H
