// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One body of one function with one stage in a loop that its author staged with
// two buffers, as edits.
#ifndef KPIPE_LOWERING_ONESTAGE_H
#define KPIPE_LOWERING_ONESTAGE_H

#include "Emission/SourceText.h"
#include "StagedLoop.h"
#include <set>

namespace kpipe {

/// \returns the edits, which keep lines where they are; none, and No, where the
/// loop cannot be written so.
std::optional<std::set<Edit>> asOneStage(const clang::FunctionDecl *Body,
                                         const clang::Stmt *Loop,
                                         const AsyncOps &Ops, AsyncCode &Code,
                                         const SourceText &Source,
                                         NotStaged &No);

} // namespace kpipe

#endif // KPIPE_LOWERING_ONESTAGE_H
