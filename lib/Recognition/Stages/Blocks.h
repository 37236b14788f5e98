// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A staged buffer that parts are carved out of: it is one object, whatever its
// views are, and each of them means the same part of a stage. Dynamic shared
// memory has stages only if nothing in the kernel reaches it but through names
// that can be given one. Knows nothing of launches.
#ifndef KPIPE_RECOGNITION_BLOCKS_H
#define KPIPE_RECOGNITION_BLOCKS_H

#include "Recognition/Body/LoopFacts.h"
#include <optional>

namespace kpipe {

struct NoBlock {
  clang::SourceLocation Where;
  Message Why;
};

/// Is B declared by another function than the loop's, which gives its address
/// out and does nothing else?
bool isGivenOut(const LoopFacts &Facts, const StagedBuffer &B);

/// Why B, dynamic shared memory of the loop's kernel, cannot be a ring of
/// stages; empty if it can. Asked when its views are known.
std::optional<NoBlock> whyNoBlock(const LoopFacts &Facts,
                                  const StagedBuffer &B);

/// Why a kernel that has static arrays alone cannot be given dynamic shared
/// memory, as a clause; empty if it can.
Message whyNotDynamic(const clang::FunctionDecl *Kernel);

/// Finds the views of B, static or dynamic: pointers and references into it, and
/// numbers that are its address, made before the loop and never changed.
void findViews(const LoopFacts &Facts, StagedBuffer &B);

/// Is a mention of B or of one of its views a part of a view's making?
bool makesView(const StagedBuffer &B, const clang::DeclRefExpr *Mention);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BLOCKS_H
