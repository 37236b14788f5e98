// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all launches of a kernel are seen, and what each says of its blocks.
#ifndef KPIPE_LIB_KERNEL_SEENLAUNCHES_H
#define KPIPE_LIB_KERNEL_SEENLAUNCHES_H

#include "Launches.h"
#include "kpipe/Plan.h"
#include "llvm/ADT/SmallSet.h"

namespace kpipe {

using LaunchPlaces = llvm::SmallSet<clang::SourceLocation, 8>;

/// Why files that cannot be seen may launch the kernel; empty if none does.
Message launchedFromAfar(const clang::FunctionDecl *Kernel);

/// Where text that is not read here names the kernel; empty if none does.
Message namedUnread(const clang::FunctionDecl *Written, const LaunchIndex &Index,
                    const clang::SourceManager &SM);

/// Why a mention of the kernel is not one of those that are known.
Message namedOtherwise(const clang::FunctionDecl *Written,
                       const LaunchPlaces &Known, const LaunchIndex &Index,
                       const clang::SourceManager &SM);

/// One kernel alone runs a function, and no text that is not read names what it
/// calls on the way.
bool areOneSeenKernel(const Runners &Of, const LaunchIndex &Index,
                      const clang::SourceManager &SM);

/// Launches of all instantiations, in source order.
llvm::SmallVector<const Launch *, 4> launchesOf(const clang::FunctionDecl *Written,
                                                const LaunchIndex &Index,
                                                const clang::SourceManager &SM);

/// Every launch of a kernel, of all its instances, each as it is written once.
struct KernelCalls {
  Message Not; ///< empty if all are seen and can be edited
  llvm::SmallVector<const clang::CUDAKernelCallExpr *, 2> Calls;
};
KernelCalls callsOf(const clang::FunctionDecl *Kernel, const LaunchIndex &Index,
                    const clang::ASTContext &Context);

/// Fills in Authors and Blocks: the launches, all of which can be made to ask for
/// a warp more. Else says why not.
void growBlocks(const clang::FunctionDecl *Kernel, const LaunchIndex &Index,
                const clang::ASTContext &Context, ProducerWarp &Producer);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_SEENLAUNCHES_H
