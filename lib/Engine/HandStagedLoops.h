// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a loop that its author staged.
#ifndef KPIPE_ENGINE_HANDSTAGEDLOOPS_H
#define KPIPE_ENGINE_HANDSTAGEDLOOPS_H

#include "KernelsOfLoops.h"
#include "kpipe/Diagnostic.h"
#include <vector>

namespace kpipe {

/// That all bodies of a loop are staged, with how many stages, and mistakes in
/// that. Empty if it is not sure.
std::vector<Diagnostic> tellStagedByHand(const WrittenLoop &L,
                                         const KernelsOfLoops &Kernels,
                                         const clang::SourceManager &SM);

} // namespace kpipe

#endif // KPIPE_ENGINE_HANDSTAGEDLOOPS_H
