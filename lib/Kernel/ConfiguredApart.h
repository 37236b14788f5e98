// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that are configured in front of them, and whether they can opt in
// there to more than 48 KB.
#ifndef KPIPE_LIB_KERNEL_CONFIGUREDAPART_H
#define KPIPE_LIB_KERNEL_CONFIGUREDAPART_H

#include "Launches.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// Who configures a launch in front of it lets the kernel have as much there,
/// so nobody may let it have less before it is launched. \param Launches all of
/// the kernel. \param R what is edited at each.
void keepConfiguredApart(llvm::ArrayRef<const Launch *> Launches,
                         const LaunchIndex &Index,
                         const clang::FunctionDecl *Written,
                         const clang::ASTContext &Context,
                         DynamicSharedGrowth &R);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_CONFIGUREDAPART_H
