// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where Clang's own headers are. Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_RESOURCEDIR_H
#define KPIPE_LIB_FRONTEND_RESOURCEDIR_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// Clang's resource directory: beside the program, else where it was at
/// configure time, else the embedded one; empty when there is none.
/// \param Program argv[0].
std::string findResourceDir(llvm::StringRef Program);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_RESOURCEDIR_H
