// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimum of blocks that loops ask for, kernel by kernel: loops of one kernel
// have one `__launch_bounds__`.
#ifndef KPIPE_ENGINE_BOUNDSOFKERNELS_H
#define KPIPE_ENGINE_BOUNDSOFKERNELS_H

#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Plan.h"
#include "kpipe/TextEdit.h"
#include "llvm/ADT/DenseMap.h"

namespace kpipe {

class BoundsOfKernels {
public:
  BoundsOfKernels(const clang::ASTContext &Context,
                  llvm::ArrayRef<const ArchLimits *> Archs)
      : Context(Context), Archs(Archs) {}

  /// What writes the minimum that is wanted for a loop's kernel. Says so in its
  /// plans, or why it is not written in the one that is shown.
  std::optional<TextEdit> ask(const WrittenLoop &L,
                              llvm::ArrayRef<KernelShape> Shapes,
                              AgreedPlans &Agreed,
                              std::optional<BlocksPerSM> Wanted);

private:
  const clang::ASTContext &Context;
  llvm::ArrayRef<const ArchLimits *> Archs;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> Asked;

  Message whyNot(const WrittenLoop &L, std::optional<unsigned> Threads,
                 unsigned Blocks, std::optional<TextEdit> &Edit);
};

} // namespace kpipe

#endif // KPIPE_ENGINE_BOUNDSOFKERNELS_H
