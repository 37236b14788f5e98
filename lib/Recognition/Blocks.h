// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory as a staged buffer: the block that the launch sizes is
// one object, whatever is carved out of it, and has stages only if nothing in
// the kernel reaches it but through names that can be given one. Knows nothing
// of launches.
#ifndef KPIPE_RECOGNITION_BLOCKS_H
#define KPIPE_RECOGNITION_BLOCKS_H

#include "LoopFacts.h"
#include <optional>

namespace kpipe {

/// Stages lie at multiples of this many bytes, which runtime/staged_bytes.h
/// rounds to as well: no access relies on a wider alignment.
constexpr unsigned StageAlignment = 128;

struct NoBlock {
  clang::SourceLocation Where;
  std::string Why;
};

/// Finds the views of B, dynamic shared memory of the loop's kernel; or why it
/// cannot be a ring of stages.
std::optional<NoBlock> findViews(const LoopFacts &Facts, StagedBuffer &B);

/// Is a mention of B or of one of its views a part of a view's making?
bool makesView(const StagedBuffer &B, const clang::DeclRefExpr *Mention);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BLOCKS_H
