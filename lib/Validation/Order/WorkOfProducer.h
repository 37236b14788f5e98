// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the author wrote for the threads of a block, as a producer's threads
// would run it in front of the loop. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_WORKOFPRODUCER_H
#define KPIPE_LIB_VALIDATION_WORKOFPRODUCER_H

#include "Validation/Trees/SameForAll.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// May a statement of a function, or of what it calls, fail for a thread whose
/// index none of the author's has: divide by 0, never end, break an assumption,
/// return no value?
bool mayFail(const Tree &Statement, const SameForAll &Function,
             clang::ASTContext &Context);

/// May a statement, or what it calls, do something else for another thread?
bool hangsOnThread(const Tree &Statement, const SameForAll &Function,
                   clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_WORKOFPRODUCER_H
