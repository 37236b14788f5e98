// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and conditions around a use, see UseContext.h.
#include "UseContext.h"
#include "Code/AstUtils.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

UseContext::UseContext(const std::vector<const Stmt *> &Path) {
  for (size_t I = 0; I + 1 < Path.size(); ++I) {
    const Stmt *In = Path[I + 1];
    if (const auto *F = dyn_cast<ForStmt>(Path[I])) {
      if (In == F->getBody() && F->getInc() && updatedVariable(F->getInc()))
        Loops.push_back(F);
    } else if (const auto *If = dyn_cast<IfStmt>(Path[I])) {
      if (In == If->getThen() || In == If->getElse())
        Conditions.push_back({If->getCond(), In == If->getThen()});
    } else if (const auto *C = dyn_cast<ConditionalOperator>(Path[I])) {
      if (In != C->getCond())
        Conditions.push_back({C->getCond(), In == C->getTrueExpr()});
    }
  }
}

bool takesPart(Values &Known, const UseContext &Site) {
  return llvm::all_of(Site.Conditions, [&](const UseCondition &C) {
    auto Holds = Known.evaluate(C.Asked);
    return !Holds || (*Holds != 0) == C.Wanted;
  });
}

} // namespace kpipe
