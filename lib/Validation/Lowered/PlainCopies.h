// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a statement the copy that an asynchronous one does? Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_PLAINCOPIES_H
#define KPIPE_LIB_VALIDATION_PLAINCOPIES_H

#include "AsyncMeaning.h"

namespace kpipe {

/// \param Plain a statement, whose names are looked up in F.
bool isPlainCopy(const Tree &Plain, const Frame &F, const AsyncEvent &Copy);

/// Does it name its two places once, and always?
bool isOneAssignment(const Tree &Plain);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_PLAINCOPIES_H
