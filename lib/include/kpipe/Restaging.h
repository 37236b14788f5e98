// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that their author staged with two buffers become loops of one stage:
// the copy in front of the loop goes, and the one in the loop is that of the
// turn's own tile. What is left copies asynchronously and waits at once, which
// kpipe reads and stages as any other (kpipe/Lowering.h). Writes the text; that
// it means the same is asked of kpipe/RestagedMeaning.h.
#ifndef KPIPE_RESTAGING_H
#define KPIPE_RESTAGING_H

#include "kpipe/Options.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// The same unit with loops of one stage. Lines stay where they are.
struct Restaging {
  /// One for each file.
  std::vector<clang::tooling::AtomicChange> Changes;
  /// The loops that have one stage then, and why others have not.
  std::vector<Place> Loops;
  std::vector<KeptStages> Kept;
};

/// \param Loops where they begin.
Restaging restageLoops(clang::ASTContext &Author,
                       const TransformOptions &Options,
                       llvm::ArrayRef<Place> Loops);

} // namespace kpipe

#endif // KPIPE_RESTAGING_H
