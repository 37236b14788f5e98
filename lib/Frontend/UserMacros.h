// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the macros of -D begin to mean something. Clang defines them before all
// headers that it includes by itself; some of these have names that nvcc's have
// not, such as a template's parameter N, and do not survive -DN=64.
// Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_USERMACROS_H
#define KPIPE_LIB_FRONTEND_USERMACROS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class PreprocessorOptions;
} // namespace clang

namespace kpipe {

/// Does Clang include it without being asked for by the author?
bool isImplicitInclude(llvm::StringRef Name);

/// Moves the user's macros behind the headers that come without being asked
/// for, and in front of the user's own. Those that such headers ask for stay.
void defineBehindImplicitHeaders(clang::PreprocessorOptions &Options);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_USERMACROS_H
