// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two names for one part of an object: unions, members that refer to members,
// and constructors that keep the address of what they make. A bag of pointers
// (ObjectPointers) says nothing of such an object.

#ifndef KPIPE_VALIDATION_OVERLAYS_H
#define KPIPE_VALIDATION_OVERLAYS_H

#include "clang/AST/Type.h"

namespace kpipe {

/// May one member of an R be read or written under another name of the same
/// object? True where the class is not known.
bool mayOverlay(const clang::CXXRecordDecl *R);

/// May an object of the type, or a part of it, hold the address of a part of
/// its own as soon as it is made, whatever makes it?
bool mayNameItself(clang::QualType T);

} // namespace kpipe

#endif // KPIPE_VALIDATION_OVERLAYS_H
