// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds addresses of a staged buffer that outlive the iteration which took them
// (rule shared-escape): in a ring they would point to another tile's stage.
#ifndef KPIPE_RECOGNITION_CARRIEDADDRESS_H
#define KPIPE_RECOGNITION_CARRIEDADDRESS_H

#include "Recognition/Body/LoopFacts.h"
#include <optional>

namespace kpipe {

/// Where an address of Buffer that was taken in the loop is kept for a later
/// iteration, or stored where other threads can find it; or where bits of it
/// are asked for that are others in another stage.
struct CarriedAddress {
  clang::SourceLocation Where;
  /// The variable that keeps it; null for one that is stored.
  const clang::VarDecl *Keeper = nullptr;
  bool Bits = false;
};
std::optional<CarriedAddress> carriedAddress(const LoopFacts &Facts,
                                             const StagedBuffer &Buffer);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_CARRIEDADDRESS_H
