// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a loop is not pipelined, as a value: the rule, the place, the reason.
#ifndef KPIPE_OBSTACLE_H
#define KPIPE_OBSTACLE_H

#include "kpipe/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct Obstacle {
  RuleId Rule;
  clang::SourceLocation Where;
  Message Why;
  /// A second place that explains it, or the cure.
  struct Remark {
    clang::SourceLocation Where;
    Message What;
    std::vector<Fix> Fixes = {};
  };
  llvm::SmallVector<Remark, 2> Notes;
};

} // namespace kpipe

#endif // KPIPE_OBSTACLE_H
