// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One asynchronous copy as the assignment that it is.
#ifndef KPIPE_LOWERING_PLAINCOPY_H
#define KPIPE_LOWERING_PLAINCOPY_H

#include "SharedNumbers.h"

namespace kpipe {

/// \param Counter a name that is free, for copies in several pieces.
/// \returns a statement, `As[r][c] = A[i];`; none where it cannot be told that
/// it copies the same bytes.
std::optional<std::string> plainCopy(const AsyncOp &Op,
                                     const SourceText &Source,
                                     SharedNumbers &Numbers,
                                     llvm::StringRef Counter);

} // namespace kpipe

#endif // KPIPE_LOWERING_PLAINCOPY_H
