// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that set a variable of the function as their counter. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_OWNCOUNTER_H
#define KPIPE_LIB_VALIDATION_OWNCOUNTER_H

#include "Tree.h"

namespace kpipe {

/// `for (v = a; c; s) B` as `for (T v = a; c; s) B`, with another variable.
/// \param Function all that may name v.
/// \param Number of the other variable, which nothing in Function has.
/// \returns null for anything else, or where it is not known that each loop
/// that names v sets it first.
std::unique_ptr<Tree> withOwnCounter(const Tree &Loop, const Tree &Function,
                                     unsigned Number);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_OWNCOUNTER_H
