// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types whose values are sizes of three axes. Knows no expressions.
#ifndef KPIPE_CODE_DIM3_H
#define KPIPE_CODE_DIM3_H

#include "clang/AST/Type.h"

namespace kpipe {

/// `dim3`, whose constructor takes its components. Of other classes nobody knows
/// what theirs do.
bool isDim3(clang::QualType Type);

/// A class with the fields x, y and z, in this order, as far as it has any, and
/// with no others.
bool hasComponentsInOrder(clang::QualType Type);

} // namespace kpipe

#endif // KPIPE_CODE_DIM3_H
