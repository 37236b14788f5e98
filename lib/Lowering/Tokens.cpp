// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tokens.h"
#include "SharedNumbers.h"
#include "Support/RuleSwitch.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isWaitedFor(const DeclRefExpr *Use, const AsyncOp &Arrival,
                        const Stmt *Loop, const AsyncOps &Ops) {
  return llvm::any_of(Ops.All, [&](const AsyncOp &Wait) {
    return Wait.Kind == AsyncKind::WaitForToken &&
           Wait.counter() == Arrival.counter() && Ops.within(Wait.At, Loop) &&
           Ops.within(Use, Wait.At);
  });
}

bool isAwaitedToken(const VarDecl *V, const Stmt *Loop, const AsyncOps &Ops,
                    const FunctionDecl *Body) {
  auto Arrival = llvm::find_if(Ops.All, [&](const AsyncOp &Op) {
    return Op.Kind == AsyncKind::Arrive && V && V->getInit() &&
           Ops.within(Op.At, V->getInit());
  });
  // One that nobody waits for counts for a wait elsewhere.
  const bool Awaited = ruleIsSwitchedOff("async-arrivals") ||
                       !namesOf(V, Body->getBody()).empty();
  return Arrival != Ops.All.end() && Awaited &&
         llvm::all_of(namesOf(V, Body->getBody()), [&](const DeclRefExpr *Use) {
           return isWaitedFor(Use, *Arrival, Loop, Ops);
         });
}

} // namespace kpipe
