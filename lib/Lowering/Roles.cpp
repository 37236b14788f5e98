// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Roles.h. That threads do what the pipeline was told they do is the
// author's to see to: libcu++ gives no meaning to a producer that waits.
#include "Roles.h"
#include "Code/AstUtils.h"
#include "Code/BulkPlaces.h"
#include "Code/ComputesOnly.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "SharedNumbers.h"
#include "Support/RuleSwitch.h"
#include "WholeBlock.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class RoleSearch {
public:
  RoleSearch(const Stmt *Loop, const AsyncOps &Ops, const FunctionDecl *Body)
      : Loop(Loop), Ops(Ops), Body(Body) {}

  std::optional<RoleBranches> run() {
    std::optional<RoleBranches> Found = branches();
    if (Found && ruleIsSwitchedOff("async-meetings"))
      return Found;
    // Who calls a function may have copies of its own in flight.
    if (!Found || !Body->hasAttr<CUDAGlobalAttr>() ||
        !allThreadsComeTo(Turn, Body) || leaves(Turn, false) ||
        (!Found->Consumers && !staysSame(Found->Producers->getCond())) ||
        !producers(*Producers) || !consumers(*Consumers) || !isAlone())
      return std::nullopt;
    return Found;
  }

private:
  const Stmt *Loop;
  const AsyncOps &Ops;
  const FunctionDecl *Body;
  const CompoundStmt *Turn = nullptr, *Producers = nullptr,
                     *Consumers = nullptr;
  const AsyncOp *Acquire = nullptr;

  std::optional<RoleBranches> branches() {
    const Stmt *S = nullptr;
    if (const auto *F = dyn_cast<ForStmt>(Loop))
      S = F->getBody();
    else if (const auto *W = dyn_cast<WhileStmt>(Loop))
      S = W->getBody();
    Turn = dyn_cast_or_null<CompoundStmt>(S);
    if (!Turn)
      return std::nullopt;
    llvm::SmallVector<const IfStmt *, 2> Found;
    for (const Stmt *One : Turn->body())
      if (llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
            return Ops.within(Op.At, One);
          }))
        Found.push_back(dyn_cast<IfStmt>(One));
    if (Found.empty() || Found.size() > 2 ||
        !llvm::all_of(Found, [](const IfStmt *If) {
          return If && !If->getInit() && !If->getConditionVariable() &&
                 !If->isConstexpr() && !If->getBeginLoc().isMacroID();
        }))
      return std::nullopt;
    const bool Two = Found.size() == 2;
    const Stmt *Last = Two ? Found[1]->getThen() : Found[0]->getElse();
    Producers = dyn_cast<CompoundStmt>(Found[0]->getThen());
    Consumers = dyn_cast_or_null<CompoundStmt>(Last);
    if (!Producers || !Consumers ||
        (Two && (Found[0]->getElse() || Found[1]->getElse())))
      return std::nullopt;
    return RoleBranches{Found[0], Two ? Found[1] : nullptr};
  }

  /// Does a turn, or a thread, end in its middle?
  static bool leaves(const Stmt *S, bool Nested) {
    if (!S)
      return false;
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, SwitchStmt>(S) ||
        (isa<BreakStmt, ContinueStmt>(S) && !Nested))
      return true;
    Nested |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return leaves(Child, Nested);
    });
  }

  /// Has a condition the same value behind the producers' part?
  bool staysSame(const Expr *E) const { return computesOnly(E) && onlyKept(E); }
  bool onlyKept(const Stmt *S) const {
    if (const auto *P = dyn_cast<PseudoObjectExpr>(S);
        P && isSpecialRegister(P))
      return true;
    if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return !V || V->isConstexpr() ||
             (V->hasLocalStorage() && !V->getType()->isReferenceType() &&
              !V->getType().isVolatileQualified() && isOnlyRead(V));
    }
    if (const auto *C = dyn_cast<CallExpr>(S))
      return groupQuery(C).has_value(); // a thread keeps its rank
    // What is in memory another thread may change.
    if (isa<ArraySubscriptExpr, MemberExpr>(S))
      return false;
    if (const auto *U = dyn_cast<UnaryOperator>(S);
        U && U->getOpcode() == UO_Deref)
      return false;
    return llvm::all_of(S->children(),
                        [&](const Stmt *Child) { return onlyKept(Child); });
  }
  bool isOnlyRead(const VarDecl *V) const {
    return llvm::all_of(
        namesOf(V, Body->getBody()), [&](const DeclRefExpr *Name) {
          const Stmt *Up = Ops.parent(Name);
          while (isa_and_nonnull<ParenExpr>(Up))
            Up = Ops.parent(Up);
          const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Up);
          return Cast && Cast->getCastKind() == CK_LValueToRValue;
        });
  }

  /// Acquired, copied and committed, one behind the other.
  bool producers(const CompoundStmt &Part) {
    bool Committed = false, Copied = false;
    for (const AsyncOp &Op : Ops.All) {
      if (!Ops.within(Op.At, &Part))
        continue;
      const bool Direct = Ops.parent(Op.Statement) == &Part;
      switch (Op.Kind) {
      case AsyncKind::Acquire:
        if (Acquire || !Direct)
          return false;
        Acquire = &Op;
        break;
      case AsyncKind::Copy:
        if (!Acquire || Committed || Op.counter() != Acquire->counter())
          return false;
        Copied = true;
        break;
      case AsyncKind::Commit:
        if (!Copied || Committed || !Direct ||
            Op.counter() != Acquire->counter())
          return false;
        Committed = true;
        break;
      default:
        return false;
      }
    }
    return Committed;
  }

  bool consumers(const CompoundStmt &Part) const {
    unsigned Seen = 0;
    for (const AsyncOp &Op : Ops.All) {
      if (!Ops.within(Op.At, &Part))
        continue;
      const AsyncKind Expected =
          Seen ? AsyncKind::Release : AsyncKind::WaitOldest;
      if (Seen == 2 || Op.Kind != Expected || !Op.Statement ||
          Ops.parent(Op.Statement) != &Part ||
          Op.counter() != Acquire->counter())
        return false;
      ++Seen;
    }
    return Seen == 2;
  }

  /// Nobody else knows the pipeline, which has one stage, and nothing else is
  /// in flight in the kernel.
  bool isAlone() const {
    const VarDecl *Pipe = Acquire->Object;
    if (!Pipe || !Pipe->isLocalVarDecl() || !hasRolesInOneStage(*Acquire) ||
        Pipe->getType()->isReferenceType() || !isMadeByBlock(Pipe))
      return false;
    if (llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
          return !Ops.within(Op.At, Turn) || !Op.Statement || Op.Object != Pipe;
        }))
      return false;
    return llvm::all_of(namesOf(Pipe, Body->getBody()),
                        [&](const DeclRefExpr *Name) {
                          return llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
                            return Ops.within(Name, Op.At);
                          });
                        });
  }
};

} // namespace

const AsyncOp *waitOfOneStage(const Stmt *Loop, const AsyncOps &Ops) {
  auto Found = llvm::find_if(Ops.All, [&](const AsyncOp &Op) {
    return Op.Kind == AsyncKind::WaitOldest && Ops.within(Op.At, Loop) &&
           hasRolesInOneStage(Op);
  });
  return Found == Ops.All.end() ? nullptr : &*Found;
}

std::optional<RoleBranches> branchesByRole(const Stmt *Loop,
                                           const AsyncOps &Ops,
                                           const FunctionDecl *Body) {
  return RoleSearch(Loop, Ops, Body).run();
}

std::vector<Edit> dividedRoles(const RoleBranches &Roles,
                               const SourceText &Source) {
  const std::string Barrier = "} __syncthreads();";
  const IfStmt *If = Roles.Producers;
  const auto *Then = cast<CompoundStmt>(If->getThen());
  const auto *Last = cast<CompoundStmt>(
      Roles.Consumers ? Roles.Consumers->getThen() : If->getElse());
  auto offset = [&](SourceLocation At) {
    return At.isMacroID() ? std::nullopt : Source.offset(At);
  };
  auto End = offset(Last->getRBracLoc());
  auto Middle =
      offset(Roles.Consumers ? Then->getRBracLoc() : If->getElseLoc());
  if (!End || !Middle)
    return {};
  const Edit Behind{*End, 1, Barrier};
  if (Roles.Consumers)
    return {{*Middle, 1, Barrier}, Behind};
  const std::string Asked = Source.text(If->getCond());
  // A line's end in the condition would move the lines below.
  if (!Source.expression(If->getCond()) ||
      Asked.find('\n') != std::string::npos)
    return {};
  return {{*Middle, 4, "__syncthreads(); if (!(" + Asked + "))"}, Behind};
}

} // namespace kpipe
