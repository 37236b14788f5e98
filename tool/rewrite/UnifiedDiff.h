// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line differences between two texts in the form of a unified diff. Pure text
// work; it must not know files or C++.
#ifndef KPIPE_TOOL_REWRITE_UNIFIEDDIFF_H
#define KPIPE_TOOL_REWRITE_UNIFIEDDIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// A unified diff with three lines of context as `git apply` and `patch -p1`
/// read it; empty when the texts are equal.
std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_UNIFIEDDIFF_H
