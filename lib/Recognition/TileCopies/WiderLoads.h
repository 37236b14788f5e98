// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are parts of what one load brings, for words: what is stored of
// them is a copy, scattered.
#ifndef KPIPE_RECOGNITION_WIDERLOADS_H
#define KPIPE_RECOGNITION_WIDERLOADS_H

#include "Code/Scope.h"
#include "clang/AST/Expr.h"
#include "kpipe/Message.h"

namespace kpipe {

/// Why a value that is stored as a T in a loop's load region is no copy of global
/// memory: it is computed; or it is an element of a local array or a member of a
/// local object that the loop does nothing with but fill it from global memory
/// and read its parts.
Message whyNoCopy(const clang::Expr *Value, clang::QualType T,
                  const clang::Stmt *Loop, const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_WIDERLOADS_H
