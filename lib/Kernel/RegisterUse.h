// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in a kernel's text takes registers, and how many ptxas is likely to take
// for it. Knows no architectures and no plans.
#ifndef KPIPE_KERNEL_REGISTERUSE_H
#define KPIPE_KERNEL_REGISTERUSE_H

#include "clang/AST/Decl.h"

namespace kpipe {

struct RegisterUse {
  /// What the local variables take where most of them are in scope at once,
  /// those of callees included.
  unsigned Live = 0;
  /// Those of them that are arrays and objects.
  unsigned Arrays = 0;
  /// An estimate of what ptxas takes, off by 20 % on the median.
  unsigned Likely = 0;
};

RegisterUse registerUse(const clang::FunctionDecl *Kernel,
                        const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_KERNEL_REGISTERUSE_H
