// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source locations as people read them.
#ifndef KPIPE_SUPPORT_PLACEOF_H
#define KPIPE_SUPPORT_PLACEOF_H

#include "kpipe/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class SourceManager;
} // namespace clang

namespace kpipe {

/// File, line and column of a location, of a macro's expansion where it is in
/// one; #line directives do not count. No place where Loc is invalid.
Place placeOf(clang::SourceLocation Loc, const clang::SourceManager &SM);

} // namespace kpipe

#endif // KPIPE_SUPPORT_PLACEOF_H
