// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that copy asynchronously and wait at once are tile loops whose author
// knew cp.async. Before anything else looks at them, their copies are read as
// the plain ones that they are: what follows then needs no second notion of a
// copy, and chooses its own form of it. Knows no plans; must not write files.
#ifndef KPIPE_LOWERING_H
#define KPIPE_LOWERING_H

#include "kpipe/Diagnostic.h"
#include "kpipe/Options.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// The same unit with plain copies in some loops, and without conditions of
/// which the branch is known. Lines stay where they are.
struct Lowering {
  /// One for each file.
  std::vector<clang::tooling::AtomicChange> Changes;
  /// Where these loops begin, in the order of the source.
  std::vector<Place> Loops;
  /// Those of them that only lost conditions.
  std::vector<Place> Opened;
  std::vector<AsyncLoop> Others;
};

/// Loops of which each turn begins and ends with nothing in flight, and in
/// which each asynchronous operation is understood. Pipelines and barriers that
/// nothing uses any more go with them. What was read of a unit is kept for the
/// next time it is asked for.
class AsyncLowering {
public:
  /// \param Author the unit as its author wrote it; outlives this.
  explicit AsyncLowering(clang::ASTContext &Author);
  ~AsyncLowering();

  /// \param LeaveAlone loops that are not to be touched, by file and line.
  Lowering run(const TransformOptions &Options,
               llvm::ArrayRef<Place> LeaveAlone);

  struct Known;

private:
  std::unique_ptr<Known> Of;
};

} // namespace kpipe

#endif // KPIPE_LOWERING_H
