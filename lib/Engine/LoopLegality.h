// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a loop as it is written cannot be pipelined: what the rules say of all of
// its bodies, each once.
#ifndef KPIPE_ENGINE_LOOPLEGALITY_H
#define KPIPE_ENGINE_LOOPLEGALITY_H

#include "Kernel/UnreadText.h"
#include "Options/Directives.h"
#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Diagnostic.h"
#include <vector>

namespace kpipe {

/// Empty if the loop is legal.
std::vector<Diagnostic> whyNotLegal(const WrittenLoop &L,
                                    const Directives &Asked,
                                    const UnreadText &Unread,
                                    clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_ENGINE_LOOPLEGALITY_H
