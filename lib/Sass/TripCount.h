// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a loop runs, where constants in the code tell. Private to Sass.
#ifndef KPIPE_LIB_SASS_TRIPCOUNT_H
#define KPIPE_LIB_SASS_TRIPCOUNT_H

#include "kpipe/Sass.h"

namespace kpipe::sass {

/// Runs of the body of F.Loops[L] for each time it is entered; empty unless the
/// counter's first value, its step and its bound are constants.
std::optional<uint64_t> countTrips(const Function &F, unsigned L);

} // namespace kpipe::sass

#endif // KPIPE_LIB_SASS_TRIPCOUNT_H
