// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a loop that its author staged.
#ifndef KPIPE_ENGINE_STAGEDBYHAND_H
#define KPIPE_ENGINE_STAGEDBYHAND_H

#include "Code/AsyncOps.h"
#include "KernelsOfLoops.h"
#include "kpipe/Diagnostic.h"
#include <vector>

namespace kpipe {

class StagedByHand {
public:
  StagedByHand(clang::ASTContext &Context, const KernelsOfLoops &Kernels)
      : Context(Context), Kernels(Kernels), Code(Context) {}

  /// That all bodies of a loop are staged, with how many stages, and mistakes
  /// in that. Empty if it is not sure.
  std::vector<Diagnostic> tell(const WrittenLoop &L);

private:
  clang::ASTContext &Context;
  const KernelsOfLoops &Kernels;
  AsyncCode Code;
};

} // namespace kpipe

#endif // KPIPE_ENGINE_STAGEDBYHAND_H
