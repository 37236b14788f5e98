// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same work on many files at once, with a line on the terminal that says
// how far it is. It must not know what the work is.
#ifndef KPIPE_TOOL_SUPPORT_PARALLEL_H
#define KPIPE_TOOL_SUPPORT_PARALLEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace kpipe {

/// How many of Files are worked on at once.
/// \param Asked the user's number; 0: one for each core.
unsigned jobsFor(unsigned Asked, size_t Files);

/// Calls Work with the index of each file, in Jobs threads with stacks that are
/// deep enough to parse on; in the calling thread if Jobs is 1. Standard error
/// shows the progress if it is a terminal and there are several files.
void forEachFile(llvm::ArrayRef<std::string> Files, unsigned Jobs,
                 llvm::function_ref<void(size_t)> Work);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_PARALLEL_H
