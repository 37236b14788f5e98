// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for a barrier's phase by its parity: `bar.wait_parity(phase)`. The
// phase has to be that of the turn: 0, 1, 0, 1 from the loop's first turn on.
#ifndef KPIPE_LOWERING_PARITYWAITS_H
#define KPIPE_LOWERING_PARITYWAITS_H

#include "Code/AsyncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

/// What a loop counts its phases with.
struct PhaseCount {
  const clang::VarDecl *Var = nullptr;
  /// The statements that go on to the next; none where the loop's header does.
  llvm::SmallVector<const clang::Stmt *, 2> Steps;
};

/// Does Wait surely wait for those arrivals at its barrier that came since the
/// wait before it? Each phase ends in its turn then: nobody arrives or waits
/// outside of the loops, and in them arrivals come before waits, which no
/// thread passes by. \param Loops those that become plain.
/// \returns none where that is not seen.
std::optional<PhaseCount> phaseOfTurn(const AsyncOp &Wait,
                                      llvm::ArrayRef<const clang::Stmt *> Loops,
                                      const AsyncOps &Ops,
                                      const clang::FunctionDecl *Body);

/// Do nothing but its steps, and waits that are gone, name what counts phases?
bool isOnlyCounted(const PhaseCount &Phase, const AsyncOps &Ops,
                   const clang::FunctionDecl *Body,
                   llvm::function_ref<bool(const clang::Stmt *)> IsGone);

/// Does a wait in Loop, by parity, wait at the barrier at which Op arrives?
bool isAwaitedByParity(const AsyncOp &Op, const clang::Stmt *Loop,
                       const AsyncOps &Ops);

} // namespace kpipe

#endif // KPIPE_LOWERING_PARITYWAITS_H
