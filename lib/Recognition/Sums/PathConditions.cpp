// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes down from a statement to one inside it. See PathConditions.h.
#include "PathConditions.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Sugar.h"
#include "ExpressionSums.h"

using namespace clang;

namespace kpipe {

namespace {

/// Does S end in a jump, wherever it leads to?
bool endsInJump(const Stmt *S) {
  if (const auto *A = dyn_cast_or_null<AttributedStmt>(S)) // [[unlikely]]
    return endsInJump(A->getSubStmt());
  if (const auto *C = dyn_cast_or_null<CompoundStmt>(S))
    return !C->body_empty() && endsInJump(C->body_back());
  return isa_and_nonnull<BreakStmt, ContinueStmt, ReturnStmt>(S);
}

class Descent {
public:
  explicit Descent(Surrounding &To) : To(To) {}

  void enter(const Stmt *Here, const Stmt *Next) {
    if (const auto *If = dyn_cast<IfStmt>(Here)) {
      if (Next == If->getThen() || Next == If->getElse())
        add(If->getCond(), Next == If->getThen());
    } else if (const auto *F = dyn_cast<ForStmt>(Here)) {
      if (Next == F->getBody())
        enterLoop(F);
    } else if (const auto *C = dyn_cast<ConditionalOperator>(Here)) {
      if (Next != C->getCond())
        add(C->getCond(), Next == C->getTrueExpr());
    } else if (const auto *B = dyn_cast<BinaryOperator>(Here)) {
      if (B->isLogicalOp() && Next == B->getRHS())
        add(B->getLHS(), B->getOpcode() == BO_LAnd);
    } else if (const auto *C = dyn_cast<CompoundStmt>(Here)) {
      passJumps(C, Next);
    } else if (const auto *Switch = dyn_cast<SwitchStmt>(Here);
               Switch && Next == Switch->getBody()) {
      To.Known = false; // a case may lead into a loop
    }
  }

private:
  Surrounding &To;

  void add(const Expr *E, bool Holds) {
    if (E) // `if consteval` has none
      To.Conditions.push_back({E, Holds, To.Loops.size()});
  }
  void enterLoop(const ForStmt *F) {
    To.Loops.push_back(F);
    add(F->getCond(), true);
  }
  /// Who comes by `if (c) break;` comes with c false.
  void passJumps(const CompoundStmt *C, const Stmt *Next) {
    for (const Stmt *S : C->body()) {
      if (S == Next)
        return;
      const auto *If = dyn_cast<IfStmt>(S);
      if (If && !If->getElse() && endsInJump(If->getThen()))
        add(If->getCond(), false);
    }
  }
};

} // namespace

Surrounding surroundingOf(const Stmt *Target, const Stmt *Root) {
  Surrounding S;
  auto Path = pathTo(Target, Root);
  S.Known = !Path.empty();
  Descent Down(S);
  for (size_t I = 0; I + 1 < Path.size(); ++I)
    Down.enter(Path[I], Path[I + 1]);
  return S;
}

void splitCondition(Condition C, llvm::SmallVectorImpl<Condition> &To) {
  C.Whole = evaluated(C.Whole);
  auto part = [&](const Expr *E, bool Holds) {
    splitCondition({E, Holds, C.Loops}, To);
  };
  if (const auto *U = dyn_cast<UnaryOperator>(C.Whole);
      U && U->getOpcode() == UO_LNot)
    return part(U->getSubExpr(), !C.Holds);
  if (const auto *B = dyn_cast<BinaryOperator>(C.Whole);
      B && B->getOpcode() == (C.Holds ? BO_LAnd : BO_LOr)) {
    part(B->getLHS(), C.Holds);
    return part(B->getRHS(), C.Holds);
  }
  To.push_back(C);
}

std::optional<Comparison> comparisonOf(const Condition &Of) {
  const auto *B = dyn_cast<BinaryOperator>(evaluated(Of.Whole));
  if (!B || !B->isRelationalOp() || !B->getLHS()->getType()->isIntegerType())
    return std::nullopt;
  const Expr *L = B->getLHS(), *R = B->getRHS();
  switch (Of.Holds ? B->getOpcode()
                   : BinaryOperator::negateComparisonOp(B->getOpcode())) {
  case BO_LT:
    return Comparison{B, L, R, false, Of.Loops};
  case BO_LE:
    return Comparison{B, L, R, true, Of.Loops};
  case BO_GT:
    return Comparison{B, R, L, false, Of.Loops};
  case BO_GE:
    return Comparison{B, R, L, true, Of.Loops};
  default:
    return std::nullopt;
  }
}

} // namespace kpipe
