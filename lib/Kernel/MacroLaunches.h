// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a macro makes, or puts where it wants to: which of them can be
// edited where they stand in the file.
#ifndef KPIPE_LIB_KERNEL_MACROLAUNCHES_H
#define KPIPE_LIB_KERNEL_MACROLAUNCHES_H

#include "Launches.h"

namespace kpipe {

/// Does a macro make a launch of more than one argument, or of its own text?
bool isMadeByMacro(const Launch &L, const clang::SourceManager &SM);

/// Does the text of a launch launch another kernel elsewhere, where a macro puts
/// it?
bool launchesAnother(const Launch &L, const clang::FunctionDecl *Written,
                     const LaunchIndex &Index, const clang::SourceManager &SM);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_MACROLAUNCHES_H
