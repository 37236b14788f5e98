// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a body copy asynchronously and wait in the same turn.
#ifndef KPIPE_LOWERING_SINGLESTAGE_H
#define KPIPE_LOWERING_SINGLESTAGE_H

#include "Code/AsyncOps.h"
#include "Code/CallIndex.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

/// Does S pass a barrier of the block somewhere, in its own text?
bool hasBarrier(const clang::Stmt *S);

/// A loop that copies, waits and passes a barrier of the block, with no such
/// loop in it.
struct AsyncTileLoop {
  const clang::Stmt *Loop = nullptr;
  /// Every operation is understood, and every turn begins with nothing in
  /// flight.
  bool IsSingleStage = false;
  /// Otherwise why not: an operation that is not understood; or the groups that
  /// a turn leaves in flight, 2 standing for more, and 0 where something was in
  /// flight before the loop.
  const AsyncOp *NotUnderstood = nullptr;
  unsigned LeftByTurns = 0;
};

/// The calls of a unit, which are looked for when somebody asks.
class UnitCalls {
public:
  explicit UnitCalls(clang::ASTContext &Context) : Context(Context) {}
  const CallIndex &get() {
    if (!Known)
      Known = indexCalls(Context);
    return *Known;
  }

private:
  clang::ASTContext &Context;
  std::optional<CallIndex> Known;
};

/// In the order of the source.
llvm::SmallVector<AsyncTileLoop, 2>
findAsyncTileLoops(const clang::FunctionDecl *Body, const AsyncOps &Ops,
                   AsyncCode &Code, UnitCalls &Calls);

} // namespace kpipe

#endif // KPIPE_LOWERING_SINGLESTAGE_H
