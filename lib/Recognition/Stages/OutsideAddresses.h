// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a buffer's address outside the loop. Whatever is not known to
// read, write or point to the buffer, and nothing else, may hand its address on.
#ifndef KPIPE_RECOGNITION_OUTSIDEADDRESSES_H
#define KPIPE_RECOGNITION_OUTSIDEADDRESSES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

struct OutsideAddress {
  clang::SourceLocation Where;
  /// A variable that brings the address into the loop; null: it is handed on in
  /// a way that is not followed.
  const clang::VarDecl *Keeper = nullptr;
};

/// Where an address of the buffer that is taken outside the loop may come into
/// it, by other names than the buffer's own and its views.
std::optional<OutsideAddress> addressFromOutside(const LoopFacts &Facts,
                                                 const StagedBuffer &Buffer);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_OUTSIDEADDRESSES_H
