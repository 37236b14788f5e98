// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How messages name what an access touches.
#ifndef KPIPE_VALIDATION_ACCESSNAMES_H
#define KPIPE_VALIDATION_ACCESSNAMES_H

#include "Accesses.h"
#include "kpipe/Message.h"

namespace kpipe {

/// `'xs'`, `memory at 'p'`, `global memory`.
Message named(const Storage &P);
/// `the write of 'xs'`.
Message accessName(const Access &A);

} // namespace kpipe

#endif // KPIPE_VALIDATION_ACCESSNAMES_H
