// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the registers that a producer's warpgroup gives and the author's
// threads take are those of their block. Private to the validation.
#ifndef KPIPE_VALIDATION_PRODUCERREGISTERS_H
#define KPIPE_VALIDATION_PRODUCERREGISTERS_H

#include "kpipe/Validation.h"

namespace kpipe {

/// \param Bounds the kernel's in the result, as `256,2,`.
bool registersAreThere(const DeclaredLoop &Loop, llvm::StringRef Bounds);

} // namespace kpipe

#endif // KPIPE_VALIDATION_PRODUCERREGISTERS_H
