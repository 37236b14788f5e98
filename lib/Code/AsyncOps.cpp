// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a body, see AsyncOps.h.
#include "AsyncOps.h"
#include "AsyncCalls.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

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
  keepMacrosWhole(Body->getBody());
  if (!All.empty())
    addUnseen(Body->getBody());
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
    if (const auto *F = dyn_cast_or_null<ForStmt>(Up); F && F->getBody() != E)
      return nullptr;
    if (isa_and_nonnull<WhileStmt, DoStmt, SwitchStmt>(Up))
      return nullptr;
  }
  return S;
}

/// An operation, or a block of them.
bool AsyncOps::isNothingElse(const Stmt *S) const {
  if (isa<NullStmt>(S))
    return true;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return llvm::all_of(Block->body(),
                        [&](const Stmt *One) { return isNothingElse(One); });
  if (const auto *Once = dyn_cast<DoStmt>(S)) {
    bool Again = true;
    return Once->getCond()->EvaluateAsBooleanCondition(Again, Code.Context) &&
           !Again && isNothingElse(Once->getBody());
  }
  // All that may be around an operation in an expression is nothing, see
  // statementOf().
  return isa<Expr, GCCAsmStmt>(S) && llvm::any_of(All, [&](const AsyncOp &Op) {
           return Op.Statement && Op.Kind != AsyncKind::InHelper &&
                  within(Op.At, S);
         });
}

/// The text of a macro's call stands for all that the macro does. So an
/// operation that shares one with a count, a branch or a loop is no statement;
/// several operations are one.
void AsyncOps::keepMacrosWhole(const Stmt *Body) {
  const SourceManager &SM = Code.Context.getSourceManager();
  auto ExpansionOf = [&](const Stmt *S) {
    SourceLocation At = S ? S->getBeginLoc() : SourceLocation();
    return At.isMacroID() ? SM.getExpansionLoc(At) : SourceLocation();
  };
  /// What each macro call made, outermost.
  llvm::DenseMap<SourceLocation, llvm::SmallVector<const Stmt *, 2>> Made;
  for (const AsyncOp &Op : All)
    if (SourceLocation At = ExpansionOf(Op.At); At.isValid())
      Made[At];
  if (Made.empty())
    return;
  auto Gather = [&](auto &Self, const Stmt *S) -> void {
    if (SourceLocation At = ExpansionOf(S);
        At.isValid() && At != ExpansionOf(parent(S)))
      if (auto Found = Made.find(At); Found != Made.end())
        Found->second.push_back(S);
    for (const Stmt *Child : S->children())
      if (Child)
        Self(Self, Child);
  };
  Gather(Gather, Body);
  llvm::DenseMap<SourceLocation, const Stmt *> Whole;
  for (const auto &[At, Parts] : Made) {
    const Stmt *Around = Parts.empty() ? nullptr : parent(Parts.front());
    const bool Alone = !Parts.empty() &&
                       (Parts.size() == 1 || isa<CompoundStmt>(Around)) &&
                       llvm::all_of(Parts, [&](const Stmt *Part) {
                         return parent(Part) == Around && isNothingElse(Part);
                       });
    Whole[At] = Alone ? Parts.front() : nullptr;
  }
  for (AsyncOp &Op : All)
    if (SourceLocation At = ExpansionOf(Op.At); At.isValid() && Op.Statement)
      Op.Statement = Whole.lookup(At);
}

/// Where other copies are, these may be in flight beside them.
void AsyncOps::addUnseen(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (llvm::none_of(All, [&](const AsyncOp &Op) { return Op.At == S; }) &&
      callsUnseen(S, Code)) {
    AsyncOp Op;
    Op.Kind = AsyncKind::Unseen;
    Op.At = S;
    All.push_back(Op);
  }
  for (const Stmt *Child : S->children())
    if (Parents.count(Child))
      addUnseen(Child);
}

/// The branch of an `if constexpr` that is not taken, or null.
static const Stmt *neverRun(const Stmt *S, const ASTContext &Context) {
  const auto *If = dyn_cast<IfStmt>(S);
  if (!If || !If->isConstexpr())
    return nullptr;
  auto Live = If->getNondiscardedCase(Context);
  if (!Live)
    return nullptr;
  return *Live == If->getThen() ? If->getElse() : If->getThen();
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
    // A barrier is asked in a loop of its own.
    if (Op.Asks) {
      const auto *C = dyn_cast<CallExpr>(S);
      Op.Statement = C ? pollingLoop(C, *this) : nullptr;
      if (!Op.Statement)
        Op.Kind = AsyncKind::Other;
    }
    All.push_back(std::move(Op));
  }
  const bool Outside = InLambda;
  InLambda |= isa<LambdaExpr>(S);
  const Stmt *Dead = neverRun(S, Code.Context);
  for (const Stmt *Child : S->children())
    if (Child) {
      Parents[Child] = S;
      if (Child != Dead)
        walk(Child);
    }
  InLambda = Outside;
}

} // namespace kpipe
