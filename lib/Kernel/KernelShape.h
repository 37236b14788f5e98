// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning and reports need to know of the kernel around a loop: its
// shared memory, the size of its blocks, a rough idea of its registers. Knows
// no loops and no architectures.
#ifndef KPIPE_KERNEL_KERNELSHAPE_H
#define KPIPE_KERNEL_KERNELSHAPE_H

#include "Code/Scope.h"
#include "Launches.h"
#include "kpipe/Options.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// The shape of the kernel F, or of the kernel that runs the `__device__`
/// function F: of several the one with the most static shared memory.
///
/// The block's size is the largest that a constant launch in the unit asks
/// for, else `--block`, else the bound of `__launch_bounds__`.
/// \param Growth by loops that were planned before.
KernelShape kernelShape(const clang::FunctionDecl *F,
                        const TransformOptions &Options, const CallIndex &Calls,
                        const LaunchIndex &Launches, clang::ASTContext &Context,
                        const SharedGrowth &Growth = SharedGrowth());

/// Does the text of a function mention a block barrier? For templates that
/// have no body to analyse.
bool mentionsBarrier(const clang::FunctionDecl *F,
                     const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_KERNEL_KERNELSHAPE_H
