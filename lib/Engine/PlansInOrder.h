// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a loop that the check of the order of accesses lets pass.
#ifndef KPIPE_ENGINE_PLANSINORDER_H
#define KPIPE_ENGINE_PLANSINORDER_H

#include "Recognition/Loops/WrittenLoops.h"
#include "Validation/Order/OrderValidator.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// What plans are made for, and checked with.
struct OrderedPlanning {
  llvm::ArrayRef<const ArchLimits *> Archs;
  unsigned ArchIndex;
  const TransformOptions &Wanted;
  const CodeIndex &Code;
  bool AssumeNoAlias;
};

/// Plans every body. An analysis may find that arrays can have stages, or
/// copies be asynchronous, and the check not see it: then plans are tried that
/// do without, and the one that passes says so. What is wrong with the text
/// that is made of a plan is no reason for another. Has the output keep the
/// barriers that code around the loop needs. \param Shapes parallel to the
/// bodies. \param Lost what the check found in the first plan, if no plan
/// passes.
llvm::Expected<AgreedPlans> planInOrder(WrittenLoop &L,
                                        llvm::ArrayRef<KernelShape> Shapes,
                                        const OrderedPlanning &For,
                                        std::optional<OrderViolation> &Lost);

} // namespace kpipe

#endif // KPIPE_ENGINE_PLANSINORDER_H
