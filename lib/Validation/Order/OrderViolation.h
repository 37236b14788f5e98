// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses whose order would be lost: what the validators of the order
// find.
#ifndef KPIPE_VALIDATION_ORDERVIOLATION_H
#define KPIPE_VALIDATION_ORDERVIOLATION_H

#include "kpipe/Message.h"
#include "clang/Basic/SourceLocation.h"

namespace kpipe {

struct OrderViolation {
  clang::SourceLocation First, Second; ///< as they run in the input
  Message What;
  Message AtFirst{}; ///< what First is, if not the first of two accesses
  Message Cure{}; ///< what to do about it; may be empty
  /// Asynchrony itself is at fault: copies through registers do without.
  bool OfAsync = false;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_ORDERVIOLATION_H
