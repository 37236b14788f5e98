// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrivals at mbarriers and waits by their parity, as copies by cp.async need
// them: in assembly, as libcu++'s functions, and in functions of the author's
// around one of these. Which barrier and which parity BulkOps tells; here it is
// seen to it that nothing else is done, and that a wait waits. Sources: PTX ISA
// 8.7, "mbarrier", "cp.async.mbarrier.arrive".
#ifndef KPIPE_CODE_MBARRIEROPS_H
#define KPIPE_CODE_MBARRIEROPS_H

#include "AsyncCalls.h"

namespace kpipe {

/// \param S an assembly statement or a call.
/// \returns none where it does anything else, or is not understood; no
/// operation where it only prepares barriers.
std::optional<SomeOps> opsAtMbarrier(const clang::Stmt *S,
                                     const clang::ASTContext &Context);

/// The variable that is a barrier, or an array of them, of which the operand of
/// an instruction is the address: through numbers and handles that hold it.
const clang::VarDecl *barrierBehind(const clang::Expr *E,
                                    std::optional<unsigned> &Element,
                                    const clang::ASTContext &Context);

/// The count where S initialises V, or an element of it, and does nothing else;
/// else null.
const clang::Expr *mbarrierCount(const clang::Stmt *S, const clang::VarDecl *V,
                                 const clang::ASTContext &Context);

/// Is V a number or a pointer that holds where a barrier is, and never anything
/// else?
bool holdsBarrier(const clang::VarDecl *V, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_CODE_MBARRIEROPS_H
