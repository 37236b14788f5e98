// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning and reports need to know of the function around a loop: its
// shared memory and the size of its blocks.
#ifndef KPIPE_ENGINE_KERNEL_H
#define KPIPE_ENGINE_KERNEL_H

#include "kpipe/Options.h"
#include "kpipe/Plan.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace kpipe {

/// Shared bytes of F and of the functions that it calls, and the threads of a
/// block from --block, `__launch_bounds__` or constant launches in the unit.
KernelShape kernelShape(const clang::FunctionDecl *F,
                        const TransformOptions &Options,
                        clang::ASTContext &Context);

/// Does the text of a function mention a block barrier? For templates that
/// have no body to analyse.
bool mentionsBarrier(const clang::FunctionDecl *F,
                     const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_ENGINE_KERNEL_H
