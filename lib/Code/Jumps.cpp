// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps, see Jumps.h.

#include "Jumps.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isLoop(const Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

bool hasLabel(const Stmt *S) {
  return S && (isa<LabelStmt>(S) || llvm::any_of(S->children(), hasLabel));
}

const Stmt *bodyOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast<ForStmt>(Loop))
    return F->getBody();
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    return W->getBody();
  if (const auto *R = dyn_cast<CXXForRangeStmt>(Loop))
    return R->getBody();
  return cast<DoStmt>(Loop)->getBody();
}

bool isJump(const Stmt *S) {
  return isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt,
             LabelStmt>(S);
}

bool hasJump(const Stmt *S) {
  return S && (isJump(S) || llvm::any_of(S->children(), hasJump));
}

/// \param InLoop, InSwitch what stands between S and the loop asked about.
static const Stmt *find(const Stmt *S, bool InLoop, bool InSwitch) {
  if (!S || isa<LambdaExpr>(S))
    return nullptr;
  if (isa<BreakStmt>(S))
    return InLoop || InSwitch ? nullptr : S;
  if (isa<ContinueStmt>(S))
    return InLoop ? nullptr : S;
  if (isJump(S))
    return S;
  InLoop |= isLoop(S);
  InSwitch |= isa<SwitchStmt>(S);
  for (const Stmt *Child : S->children())
    if (const Stmt *Found = find(Child, InLoop, InSwitch))
      return Found;
  return nullptr;
}

const Stmt *findJump(const ForStmt *Loop) {
  return find(Loop->getBody(), false, false);
}

const Stmt *findJumpIn(const Stmt *S) { return find(S, false, false); }

} // namespace kpipe
