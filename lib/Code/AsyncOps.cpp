// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a body, see AsyncOps.h.
#include "AsyncOps.h"
#include "AsyncCalls.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

const AsyncOps *AsyncCode::of(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (!F->hasBody(Body))
    return nullptr;
  auto [Known, New] = Read.try_emplace(Body);
  if (New) {
    auto Ops = std::make_unique<AsyncOps>(Body, *this);
    // The map may have grown.
    return (Read[Body] = std::move(Ops)).get();
  }
  return Known->second.get();
}

AsyncOps::AsyncOps(const FunctionDecl *Body, AsyncCode &Code) : Code(Code) {
  walk(Body->getBody());
}

bool AsyncOps::within(const Stmt *S, const Stmt *Within) const {
  while (S && S != Within)
    S = parent(S);
  return S;
}

/// The statement that S is, in a macro with all that the macro adds: braces and
/// `do … while (0)`. Null where S gives somebody a value.
const Stmt *AsyncOps::statementOf(const Stmt *S) const {
  const Stmt *Up = parent(S);
  while (const auto *E = dyn_cast_or_null<Expr>(Up)) {
    const auto *Cast = dyn_cast<CStyleCastExpr>(E);
    if (!isa<FullExpr>(E) && !(Cast && Cast->getType()->isVoidType()))
      return nullptr;
    S = Up;
    Up = parent(S);
  }
  if (!Up || isa<DeclStmt>(Up) || isa<ReturnStmt>(Up))
    return nullptr;
  const SourceManager &SM = Code.Context.getSourceManager();
  SourceLocation Macro = S->getBeginLoc();
  auto OfMacro = [&](const Stmt *Outer) {
    return Macro.isMacroID() && Outer->getBeginLoc().isMacroID() &&
           SM.getExpansionLoc(Outer->getBeginLoc()) ==
               SM.getExpansionLoc(Macro);
  };
  while (Up && OfMacro(Up) && (isa<CompoundStmt>(Up) || isa<DoStmt>(Up))) {
    S = Up;
    Up = parent(S);
  }
  // The condition of a loop or of a branch is no statement.
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (const auto *I = dyn_cast_or_null<IfStmt>(Up); I && I->getCond() == E)
      return nullptr;
    if (const auto *F = dyn_cast_or_null<ForStmt>(Up);
        F && F->getBody() != E)
      return nullptr;
    if (isa_and_nonnull<WhileStmt, DoStmt, SwitchStmt>(Up))
      return nullptr;
  }
  return S;
}

void AsyncOps::walk(const Stmt *S) {
  if (!S)
    return;
  SomeOps Here;
  if (const auto *C = dyn_cast<CallExpr>(S))
    Here = opsOfCall(C, Code);
  else if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    Here = opsOfAssembly(A, Code.Context);
  for (AsyncOp &Op : Here) {
    if (InLambda)
      Op.Kind = AsyncKind::Other;
    Op.Statement = statementOf(S);
    All.push_back(std::move(Op));
  }
  const bool Outside = InLambda;
  InLambda |= isa<LambdaExpr>(S);
  for (const Stmt *Child : S->children())
    if (Child) {
      Parents[Child] = S;
      walk(Child);
    }
  InLambda = Outside;
}

} // namespace kpipe
