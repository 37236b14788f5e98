// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counted loops around a copy: how often they run, and which of their
// iterations some thread leaves out.
#ifndef KPIPE_RECOGNITION_COPYLOOPS_H
#define KPIPE_RECOGNITION_COPYLOOPS_H

#include "Code/Scope.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// Index, bounds and step of a loop around a copy; Trips is 0 if it is not
/// counted by constants.
CopyLoop describeCopyLoop(const clang::ForStmt *F, const Scope &In);

/// Is a number not below zero, for every thread and whatever is not known?
bool isNeverNegative(const clang::Expr *E, const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COPYLOOPS_H
