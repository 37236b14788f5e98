// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, edges and natural loops of a function whose instructions are known.
// Private to Sass.
#ifndef KPIPE_LIB_SASS_CONTROLFLOW_H
#define KPIPE_LIB_SASS_CONTROLFLOW_H

#include "kpipe/Sass.h"
#include <map>

namespace kpipe::sass {

/// Labels of a function with the index of the instruction that follows each.
using LabelMap = std::map<std::string, unsigned, std::less<>>;

/// Fills Blocks and Loops, trip counts included.
/// \returns an error of one line when a branch leads to no instruction.
llvm::Error buildControlFlow(Function &F, const LabelMap &Labels);

} // namespace kpipe::sass

#endif // KPIPE_LIB_SASS_CONTROLFLOW_H
