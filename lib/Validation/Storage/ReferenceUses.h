// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that hold a reference to another object, as the rows of tensor
// classes do: is the other one given pointers by that name? Private to the
// validation.
#ifndef KPIPE_VALIDATION_REFERENCEUSES_H
#define KPIPE_VALIDATION_REFERENCEUSES_H

#include "CodeIndex.h"

namespace kpipe {

/// Does no function of the unit give anything to the pointers of an object by
/// the name of a reference member that is bound to it?
bool givesNothing(const clang::FieldDecl *Reference, const CodeIndex &Index);

} // namespace kpipe

#endif // KPIPE_VALIDATION_REFERENCEUSES_H
