// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel can be given dynamic shared memory that it did not have, or
// more than it had: every launch must be known, and be text that can be edited.
// Knows nothing of loops and plans.
#ifndef KPIPE_KERNEL_LAUNCHEDITS_H
#define KPIPE_KERNEL_LAUNCHEDITS_H

#include "Launches.h"
#include "kpipe/Plan.h"

namespace kpipe {

struct LaunchEdits {
  /// Empty if all launches can be edited; else why not, as a clause.
  Message Not;
  /// In source order, each as written once: instantiations of a host template
  /// share theirs. No launch has dynamic shared memory yet.
  llvm::SmallVector<const clang::CUDAKernelCallExpr *, 2> Launches;
};

/// \p Kernel: a function, or one instantiation; its sisters are looked at too.
LaunchEdits relaunch(const clang::FunctionDecl *Kernel, const LaunchIndex &Index,
                  const clang::ASTContext &Context);

/// The same question for a kernel that has dynamic shared memory and is to be
/// given a multiple of it. \p F: the kernel, or a function that nothing else
/// runs. \p Elsewhere: other files launch it too.
DynamicSharedGrowth regrow(const clang::FunctionDecl *F, const CallIndex &Calls,
                           const LaunchIndex &Index,
                           const clang::ASTContext &Context, bool Elsewhere);

/// Threads of every block that is launched, wherever that is: empty unless all
/// launches are seen and agree.
std::optional<unsigned> certainThreads(const clang::FunctionDecl *Kernel,
                                       const LaunchIndex &Index,
                                       const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_KERNEL_LAUNCHEDITS_H
