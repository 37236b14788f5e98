// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds addresses of a staged buffer that outlive the iteration which took them
// (rule shared-escape), or that come from outside the loop: in a ring they would
// point to another tile's stage.
#ifndef KPIPE_RECOGNITION_CARRIEDADDRESS_H
#define KPIPE_RECOGNITION_CARRIEDADDRESS_H

#include "LoopFacts.h"
#include <optional>

namespace kpipe {

/// Where an address of Buffer that was taken in the loop is kept for a later
/// iteration, or stored where other threads can find it.
struct CarriedAddress {
  clang::SourceLocation Where;
  /// The variable that keeps it; null for one that is stored.
  const clang::VarDecl *Keeper = nullptr;
};
std::optional<CarriedAddress> carriedAddress(const LoopFacts &Facts,
                                             const StagedBuffer &Buffer);

/// Where an address of Buffer that was taken anywhere in the function is kept by
/// a variable that the loop names, other than a view, or is stored.
std::optional<CarriedAddress> addressFromOutside(const LoopFacts &Facts,
                                                 const StagedBuffer &Buffer);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_CARRIEDADDRESS_H
