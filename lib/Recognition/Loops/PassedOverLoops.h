// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that nearly are tile loops, where a unit has none: in a closure, or
// with a barrier that is an object.
#ifndef KPIPE_RECOGNITION_PASSEDOVERLOOPS_H
#define KPIPE_RECOGNITION_PASSEDOVERLOOPS_H

#include "DeviceFunctions.h"
#include "kpipe/Message.h"

namespace kpipe {

/// What there is of that kind, the first one; empty if there is none.
Message whyPassedOver(llvm::ArrayRef<DeviceFunction> Functions,
                      const clang::SourceManager &SM);

/// How many loops with a barrier of their own are around others with one.
unsigned countOuterLoops(llvm::ArrayRef<DeviceFunction> Functions);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PASSEDOVERLOOPS_H
