// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a tile from global to shared memory: of one copy, and of all that
// a loop makes.
#ifndef KPIPE_ROUTE_H
#define KPIPE_ROUTE_H

#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// The way of one copy from global to shared memory.
enum class Route {
  AsyncCopy, ///< cp.async, past the registers
  Registers  ///< a load to registers, later a store (LDG, STS)
};

/// The ways of all copies of a loop.
enum class RouteMix { AsyncCopy, Registers, Both };

/// "cp.async" or "registers".
llvm::StringRef describe(Route R);
/// The same, or "mixed".
llvm::StringRef describe(RouteMix M);

} // namespace kpipe

#endif // KPIPE_ROUTE_H
