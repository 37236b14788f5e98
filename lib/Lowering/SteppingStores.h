// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `*to++ = *from++`: a store of a copy that steps what it stores by. The steps
// become statements.
#ifndef KPIPE_LOWERING_STEPPINGSTORES_H
#define KPIPE_LOWERING_STEPPINGSTORES_H

#include "StepEdits.h"

namespace kpipe {

/// \param Around the statement that E is a part of.
/// \returns whether E is such a store.
bool steppingStore(const clang::Expr *E, const clang::Stmt *Around,
                   StepEdits &To);

} // namespace kpipe

#endif // KPIPE_LOWERING_STEPPINGSTORES_H
