// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a source file and tells what is no source file. Private to the front
// end.
#ifndef KPIPE_LIB_FRONTEND_INPUT_H
#define KPIPE_LIB_FRONTEND_INPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kpipe {

/// Largest file that is read, in bytes. The largest hand-written kernel files
/// are far below; what is above is generated data, and Clang would need
/// gigabytes for it.
inline constexpr size_t MaxInputBytes = size_t(4) << 20;

/// \param IsCuda the flags say that any file is CUDA (`-x cuda`), so that its
/// name's ending does not matter.
/// \returns the text, or an error whose message is one line with the cure.
llvm::Expected<std::string> readInput(llvm::StringRef File, bool IsCuda);

/// The same checks of a text that is there already.
llvm::Error checkInput(llvm::StringRef File, llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_INPUT_H
