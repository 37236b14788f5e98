// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which errors concern host code alone: they stand in a function that no kernel
// can call. Told from the text, because the tree of what did not parse is
// missing. Private to the front end; it must not know loops.
#ifndef KPIPE_LIB_FRONTEND_HOSTCODE_H
#define KPIPE_LIB_FRONTEND_HOSTCODE_H

#include "ErrorCollector.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace kpipe {

/// Sets HostOnly in the errors of which that is certain.
void markHostErrors(ErrorCollector &Errors, clang::Preprocessor &PP);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_HOSTCODE_H
