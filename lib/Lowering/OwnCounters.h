// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `int i; for (i = t; i < N; i += S)`: loops of a copy that set a variable of
// the function as their counter get one of their own.
#ifndef KPIPE_LOWERING_OWNCOUNTERS_H
#define KPIPE_LOWERING_OWNCOUNTERS_H

#include "StepEdits.h"

namespace kpipe {

/// \param Tile the loop over tiles around F.
/// \returns whether F is such a loop.
bool ownCounter(const clang::ForStmt *F, const clang::Stmt *Tile,
                StepEdits &To);

} // namespace kpipe

#endif // KPIPE_LOWERING_OWNCOUNTERS_H
