// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EmptiedBranches.h.
#include "EmptiedBranches.h"
#include "Code/ComputesOnly.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

llvm::SmallPtrSet<const Stmt *, 8>
emptiedBranches(llvm::SmallVector<const Stmt *, 8> Work, const AsyncOps &Ops) {
  llvm::SmallPtrSet<const Stmt *, 8> Gone, Found;
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    Gone.insert(S);
    const Stmt *Up = Ops.parent(S);
    const auto *If = dyn_cast_or_null<IfStmt>(Up);
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Up);
    const bool IsBranch = If && If->getThen() == S && !If->getElse() &&
                          !If->getInit() && !If->getConditionVariable() &&
                          !If->getBeginLoc().isMacroID() &&
                          computesOnly(If->getCond());
    if (IsBranch)
      Found.insert(If);
    const bool IsAll = Block && isa_and_nonnull<IfStmt>(Ops.parent(Block)) &&
                       llvm::all_of(Block->body(), [&](const Stmt *One) {
                         return Gone.count(One) || isa<NullStmt>(One);
                       });
    if (IsBranch || IsAll)
      Work.push_back(Up);
  }
  return Found;
}

} // namespace kpipe
