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

/// Where the count of a launch can be changed: where it stands in the code, in
/// the text of a macro that launches the kernel and nothing else there, or
/// nowhere.
enum class BytesPlace { Code, MacroText, Hidden };
BytesPlace placeOfBytes(const Launch &L, const clang::FunctionDecl *Written,
                        const LaunchIndex &Index, clang::FileID File,
                        const clang::ASTContext &Context);

/// Does the text of a launch launch another kernel elsewhere, where a macro puts
/// it?
bool launchesAnother(const Launch &L, const clang::FunctionDecl *Written,
                     const LaunchIndex &Index, const clang::SourceManager &SM);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_MACROLAUNCHES_H
