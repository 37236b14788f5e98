// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements, in the order in which the thread runs them. Loops that only read
// are run once: what they read later lies in the same tile. See StageTrace.h.
#include "StageTracer.h"
#include "Code/AstUtils.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned StepsOfOne = 400000, MostEvents = 60000, MostRounds = 64;

const Stmt *bodyOfLoop(const Stmt *S) {
  if (const auto *F = dyn_cast<ForStmt>(S))
    return F->getBody();
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return W->getBody();
  return cast<DoStmt>(S)->getBody();
}

const Expr *conditionOfLoop(const Stmt *S) {
  if (const auto *F = dyn_cast<ForStmt>(S))
    return F->getCond();
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return W->getCond();
  return cast<DoStmt>(S)->getCond();
}

} // namespace

StageTracer::StageTracer(const TraceOf &Of, int64_t Host, unsigned MostTurns)
    : ThreadRun(Of.In.context(), Of.Function, Of.Function->getBody(), {},
                StepsOfOne),
      Of(Of), Host(Host), MostTurns(MostTurns) {
  if (Of.Ops)
    for (const AsyncOp &Op : Of.Ops->All)
      OpsAt[Op.At].push_back(&Op);
  findSwaps();
}

StageTrace StageTracer::run() {
  begin({0, Of.Block, {0, 0, 0}});
  const Flow End = walk(Of.Function->getBody());
  Trace.Unsure |= Invalid || spent() || Trace.Events.size() >= MostEvents;
  Trace.Ends &= End == Flow::Next || End == Flow::Return;
  return std::move(Trace);
}

bool StageTracer::holdsLoop(const Stmt *S) const {
  return !pathTo(Of.Loop, S).empty();
}

const Effects &StageTracer::effects(const Stmt *S) {
  auto [It, New] = Known.try_emplace(S);
  if (New)
    It->second = effectsOf(S, Of.In);
  return It->second;
}

bool StageTracer::usesMemory(const Stmt *S) {
  const Effects &E = effects(S);
  return E.readsShared() || E.writesShared() || E.readsGlobal() ||
         E.has(EventKind::BlockBarrier) || storesOrWaits(S);
}

bool StageTracer::storesOrWaits(const Stmt *S) {
  const Effects &E = effects(S);
  return E.writesShared() || E.has(EventKind::AsyncCopy) ||
         E.has(EventKind::BlockBarrier);
}

StageTracer::Flow StageTracer::walk(const Stmt *S) {
  if (!S)
    return Flow::Next;
  if (!tick() || Trace.Events.size() >= MostEvents)
    return Flow::Stop;
  if (S == Of.Loop)
    return turns(S);
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *X : cast<CompoundStmt>(S)->body())
      if (Flow F = walk(X); F != Flow::Next)
        return F;
    return Flow::Next;
  case Stmt::AttributedStmtClass:
    return walk(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::IfStmtClass:
    return branch(cast<IfStmt>(S));
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
    return loop(S);
  case Stmt::BreakStmtClass:
    return Flow::Break;
  case Stmt::ContinueStmtClass:
    return Flow::Continue;
  case Stmt::ReturnStmtClass:
    return Flow::Return;
  case Stmt::NullStmtClass:
    return Flow::Next;
  case Stmt::DeclStmtClass:
  case Stmt::GCCAsmStmtClass:
    return simple(S);
  default:
    return isa<Expr>(S) ? simple(S) : opaque(S);
  }
}

/// What is not followed.
StageTracer::Flow StageTracer::opaque(const Stmt *S) {
  forget(S);
  Trace.Unsure |= usesMemory(S);
  return holdsLoop(S) ? Flow::Stop : Flow::Next;
}

/// With the marks of its values for what it writes.
StageTracer::Flow StageTracer::simple(const Stmt *S) {
  const Effects &E = effects(S);
  auto from = [&](const VarSet &Marked) {
    return llvm::any_of(E.Reads,
                        [&](const VarDecl *V) { return Marked.count(V); });
  };
  FromGlobal = E.readsGlobal() || from(Global);
  FromShared = E.readsShared() || from(Shared);
  touch(S, Role::None);
  for (const VarDecl *V : E.Writes) {
    if (E.Kills.count(V) || E.Declared.count(V)) {
      Global.erase(V);
      Shared.erase(V);
    }
    if (FromGlobal)
      Global.insert(V);
    if (FromShared)
      Shared.insert(V);
  }
  auto Silent = [](const Expr *, const RunValue &) {};
  if (auto [A, B] = exchangedBy(S); A) {
    const RunValue Had = variable(A);
    set(A, variable(B));
    set(B, Had);
  } else if (isa<GCCAsmStmt>(S))
    forget(S);
  else
    ThreadRun::run(S, Silent);
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One))
        declareParts(V);
  return Invalid ? Flow::Stop : Flow::Next;
}

RunValue StageTracer::asked(const Expr *Condition) {
  if (!Condition)
    return RunValue::of(1);
  touch(Condition, Role::None);
  return value(Condition);
}

StageTracer::Flow StageTracer::branch(const IfStmt *I) {
  if (I->getInit() || I->getConditionVariable())
    return opaque(I);
  const RunValue C = asked(I->getCond());
  if (C.isNumber())
    return walk(C.Number ? I->getThen() : I->getElse());
  const Stmt *Then = I->getThen(), *Else = I->getElse();
  if (holdsLoop(Then))
    return walk(Then);
  if (Else && holdsLoop(Else))
    return walk(Else);
  ++Maybe;
  Flow A = walk(Then);
  Flow B = walk(Else);
  --Maybe;
  forget(I);
  return A == Flow::Stop || B == Flow::Stop ? Flow::Stop : Flow::Next;
}

StageTracer::Flow StageTracer::loop(const Stmt *S) {
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *W = dyn_cast<WhileStmt>(S);
  if ((F && F->getConditionVariable()) || (W && W->getConditionVariable()))
    return opaque(S);
  const bool Outer = holdsLoop(bodyOfLoop(S));
  if (!Outer && !usesMemory(S)) {
    forget(S);
    return Flow::Next;
  }
  if (F)
    if (Flow First = walk(F->getInit()); First != Flow::Next)
      return First;
  const unsigned Most = Outer || !storesOrWaits(S) ? 1 : MostRounds;
  for (unsigned Round = 0; Round != Most; ++Round) {
    if (Round || !isa<DoStmt>(S)) {
      const RunValue C = asked(conditionOfLoop(S));
      if (C.isNumber() && !C.Number)
        return Flow::Next;
      Trace.Unsure |= Most != 1 && !C.isNumber();
    }
    const Flow Body = walk(bodyOfLoop(S));
    if (Body == Flow::Break)
      return Flow::Next;
    if (Body == Flow::Return || Body == Flow::Stop)
      return Body;
    if (F && F->getInc()) {
      touch(F->getInc(), Role::None);
      value(F->getInc());
    }
  }
  // The loop around ours has more turns, of which we know nothing.
  if (Outer)
    return Flow::Stop;
  Trace.Unsure |= Most != 1;
  forget(S);
  return Flow::Next;
}

/// The loop that the trace is made for.
StageTracer::Flow StageTracer::turns(const Stmt *S) {
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *W = dyn_cast<WhileStmt>(S);
  if ((F && F->getConditionVariable()) || (W && W->getConditionVariable()))
    return Flow::Stop;
  if (F && walk(F->getInit()) != Flow::Next)
    return Flow::Stop;
  for (;; ++Trace.Turns) {
    Turn = Trace.Turns;
    if (Trace.Turns || !isa<DoStmt>(S)) {
      const RunValue C = asked(conditionOfLoop(S));
      if (C.isNumber() && !C.Number)
        break;
    }
    if (Trace.Turns == MostTurns)
      return Flow::Stop;
    const Flow Body = walk(bodyOfLoop(S));
    if (Body == Flow::Break)
      break;
    if (Body == Flow::Return || Body == Flow::Stop)
      return Flow::Stop;
    if (F && F->getInc()) {
      touch(F->getInc(), Role::None);
      value(F->getInc());
    }
    if (Invalid)
      return Flow::Stop;
  }
  Trace.Ends = true;
  After = true;
  return Flow::Next;
}

std::optional<RunValue> StageTracer::given(const VarDecl *V) {
  QualType T = V->getType();
  const auto *P = dyn_cast<ParmVarDecl>(V);
  if (!P || P->getDeclContext() != Of.Function || T->isPointerType())
    return std::nullopt;
  if (T->isReferenceType())
    return RunValue::addressOf(V);
  if (!T->isIntegralOrEnumerationType() || T->isBooleanType())
    return RunValue();
  return Numbers.fitted(RunValue::of(Host, true), T);
}

/// A number in a parameter.
RunValue StageTracer::held(const Expr *E) {
  if (auto Of = partOf(E))
    return Parts.lookup(*Of);
  const auto *M = dyn_cast<MemberExpr>(E);
  if (!M || !E->getType()->isIntegralOrEnumerationType() ||
      E->getType()->isBooleanType())
    return {};
  const Expr *Base = M->getBase()->IgnoreParenImpCasts();
  while (const auto *Outer = dyn_cast<MemberExpr>(Base)) {
    if (Outer->isArrow())
      return {};
    Base = Outer->getBase()->IgnoreParenImpCasts();
  }
  const auto *D = dyn_cast<DeclRefExpr>(Base);
  const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
  if (!P || M->isArrow() || P->getType()->isReferenceType() ||
      llvm::is_contained(changedBy(Of.Function->getBody()), P))
    return {};
  return Numbers.fitted(RunValue::of(Host, true), E->getType());
}

StageTrace traceStages(const TraceOf &Of, int64_t Host, unsigned MostTurns) {
  return StageTracer(Of, Host, MostTurns).run();
}

} // namespace kpipe
