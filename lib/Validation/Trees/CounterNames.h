// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done with a variable by its name, in a tree. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_COUNTERNAMES_H
#define KPIPE_LIB_VALIDATION_COUNTERNAMES_H

#include "Tree.h"

namespace kpipe {

unsigned timesNamedIn(const Tree &T, unsigned Local);

/// `v++` or `v--`, of anything.
bool isPostStep(const Tree &T);

/// What changes a variable, by its name, and has its value for itself; or
/// `v++`, whose value nobody has.
bool isStepOf(const Tree &T, unsigned Local);

/// A number or a pointer of a thread's own that nothing but its name leads to.
bool hasOnlyItsName(const Tree &Function, unsigned Local);

/// The declaration of a variable of a function, by its number.
const clang::VarDecl *variableOf(const Tree &Function, unsigned Local);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_COUNTERNAMES_H
