// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the beginning or the end of an object's life do anything?
#ifndef KPIPE_VALIDATION_QUIETLIVES_H
#define KPIPE_VALIDATION_QUIETLIVES_H

#include "clang/AST/DeclCXX.h"

namespace kpipe {

/// The end of such an object's life does nothing.
bool diesQuietly(clang::QualType T);
bool diesQuietly(const clang::CXXRecordDecl *R);

/// Such an object made without a value: nothing is done but to its own members.
bool isBornQuietly(clang::QualType T);

} // namespace kpipe

#endif // KPIPE_VALIDATION_QUIETLIVES_H
