// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors that do nothing but give their own object's members values.
#ifndef KPIPE_CODE_QUIETCONSTRUCTION_H
#define KPIPE_CODE_QUIETCONSTRUCTION_H

#include "clang/AST/DeclCXX.h"

namespace kpipe {

/// Can variables of the class be declared without a value, anywhere in device
/// code, and does that do nothing that anybody notices: constants are put into
/// members, if anything is?
bool isMadeQuietly(const clang::CXXRecordDecl *R);

/// May a variable of a class be assigned by another operator than a constant
/// is: one that takes it by a reference that is not const, or a template?
bool hasOtherAssignments(const clang::CXXRecordDecl *R);

} // namespace kpipe

#endif // KPIPE_CODE_QUIETCONSTRUCTION_H
