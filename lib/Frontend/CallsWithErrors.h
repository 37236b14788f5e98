// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of templates of which Clang leaves open what they mean, as an argument
// could not be read: host code that calls torch, parsed without it. Private to
// the front end; it must not know loops.
#ifndef KPIPE_LIB_FRONTEND_CALLSWITHERRORS_H
#define KPIPE_LIB_FRONTEND_CALLSWITHERRORS_H

namespace clang {
class Sema;
} // namespace clang

namespace kpipe {

/// Gives such calls the function that they name, where there is only one of the
/// name and all template arguments are written or have defaults, and
/// instantiates it. To be called when all of the file is parsed and before the
/// unit is finished.
void resolveCallsWithErrors(clang::Sema &S);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_CALLSWITHERRORS_H
