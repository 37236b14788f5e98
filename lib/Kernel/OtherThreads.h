// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the author wrote for the threads of a block, as more threads would run
// it.
#ifndef KPIPE_KERNEL_OTHERTHREADS_H
#define KPIPE_KERNEL_OTHERTHREADS_H

#include "Code/ThreadDependence.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// May S have no meaning, or no end, for a thread whose index none of the
/// author's threads has? By a division whose divisor may then be 0, a loop that
/// counts by the thread, what is assumed of it, or an element that is not
/// there, or that only some of the author's threads come to; also in the
/// functions that S calls, and that may end without the value they return.
/// \param Unset is it a variable that such a thread does not have as the
/// others?
bool mayGoWrong(const clang::Stmt *S, const ThreadDependence &Threads,
                llvm::function_ref<bool(const clang::VarDecl *)> Unset);

} // namespace kpipe

#endif // KPIPE_KERNEL_OTHERTHREADS_H
