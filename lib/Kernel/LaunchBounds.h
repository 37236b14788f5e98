// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A minimum of blocks, or more threads, in a kernel's `__launch_bounds__`, as an
// edit of its declaration. Knows nothing of loops, plans and architectures.
#ifndef KPIPE_KERNEL_LAUNCHBOUNDS_H
#define KPIPE_KERNEL_LAUNCHBOUNDS_H

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "kpipe/Message.h"
#include "kpipe/TextEdit.h"
#include <optional>

namespace kpipe {

struct LaunchBoundsEdit {
  /// Why the minimum cannot be written, as a clause; empty if it can.
  Message Not;
  /// Empty also where the kernel asks for as many blocks already.
  std::optional<TextEdit> Edit;
  clang::FileID File;
};

/// What `__maxnreg__` becomes; null if the kernel has none.
const clang::AnnotateAttr *registerLimit(const clang::FunctionDecl *Kernel);

/// Asks for Blocks on an SM at least: in the place of a smaller minimum, behind
/// a maximum of threads, or with all of the attribute in front of the kernel's
/// name.
/// \param Kernel a function, or one instantiation.
/// \param Threads of every block that is launched; empty: not known for
/// certain, and then there is no maximum to write.
LaunchBoundsEdit askForBlocks(const clang::FunctionDecl *Kernel,
                              unsigned Blocks, std::optional<unsigned> Threads,
                              const clang::ASTContext &Context);

struct GrownBounds {
  /// Why they cannot be changed, as a clause; empty if they can.
  Message Not;
  std::optional<TextEdit> Edit;
  unsigned MaxThreads = 0; ///< as they then are
};

/// Allows More threads in a block; where the kernel has no bounds, so many as
/// its Threads and these are: else it could take more registers than they have.
/// \param Blocks a minimum of blocks has to be there, 1 where there is none:
/// only then does ptxas know how many registers a thread is launched with.
GrownBounds growBounds(const clang::FunctionDecl *Kernel, unsigned Threads,
                       unsigned More, bool Blocks,
                       const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_KERNEL_LAUNCHBOUNDS_H
