// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays of numbers that are only looked up: `int at[4] = {0, 128, 256,
// 384};`.
#ifndef KPIPE_CODE_CONSTANTTABLES_H
#define KPIPE_CODE_CONSTANTTABLES_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// What the array of a subscript has in it for good; null if that is not known.
const clang::InitListExpr *tableOf(const clang::ArraySubscriptExpr *A);

} // namespace kpipe

#endif // KPIPE_CODE_CONSTANTTABLES_H
