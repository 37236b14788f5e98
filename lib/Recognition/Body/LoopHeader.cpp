// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop headers, see LoopHeader.h.

#include "LoopHeader.h"
#include "Code/AstUtils.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

void splitCommas(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Parts) {
  E = E->IgnoreParens();
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    E = W->getSubExpr()->IgnoreParens();
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Comma) {
    splitCommas(B->getLHS(), Parts);
    splitCommas(B->getRHS(), Parts);
    return;
  }
  Parts.push_back(E);
}

void find(LoopFacts &Facts, SourceLocation Where, Message Why) {
  Facts.Obstacles.push_back({RuleId::ControlFlow, Where, std::move(Why), {}});
}

/// While and do loops keep their step in the body: the only statement that
/// writes a variable of the condition becomes the step, if nothing after it
/// reads that variable.
void findStepsInBody(LoopFacts &Facts) {
  TileLoop &Tile = Facts.Tile;
  for (const VarDecl *V : inOrder(Facts.Header.Reads)) {
    int Writer = -1;
    unsigned Writers = 0;
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (Facts.Items[I].Writes.count(V))
        Writer = I, ++Writers;
    if (!Writers)
      continue;
    const auto *E = dyn_cast<Expr>(Tile.Body[Writer].S);
    if (Writers > 1 || !E || updatedVariable(E) != V) {
      find(Facts, startOf(Tile.Body[Writer].S),
           {msg::condition_cannot_run_ahead, quoted(V)});
      continue;
    }
    for (unsigned I = Writer + 1; I != Facts.Items.size(); ++I)
      if (Facts.Items[I].Reads.count(V))
        find(Facts, startOf(Tile.Body[I].S),
             {msg::read_after_update, quoted(V)});
    Tile.Body[Writer].Step = true;
    Tile.HeaderVars.push_back({V, E, false, false});
    Facts.Header = inSequence({&Facts.Header, &Facts.Items[Writer]});
  }
}

unsigned timesNamed(const Stmt *S, const VarDecl *V) {
  const auto *D = dyn_cast_or_null<DeclRefExpr>(S);
  unsigned Times = D && D->getDecl() == V;
  if (S)
    for (const Stmt *Child : S->children())
      Times += timesNamed(Child, V);
  return Times;
}

/// The store of the body to shared memory that the condition reads. All other
/// memory stays as it was before the loop.
const MemoryAccess *storedShared(const Effects &Cond, const Effects &Body) {
  for (const MemoryAccess &R : Cond.Memory)
    if (!R.Write && (R.Root.Where == Space::Shared ||
                     R.Root.Where == Space::Unknown || R.Root.Assumed))
      for (const MemoryAccess &W : Body.Memory)
        if (W.Write &&
            (W.Root.Where == Space::Shared ||
             W.Root.Where == Space::Unknown || W.Root.Assumed) &&
            (!R.Root.Var || !W.Root.Var || R.Root.Where == Space::Unknown ||
             W.Root.Where == Space::Unknown || R.Volatile ||
             mayOverlap(R.Root, W.Root)))
          return &W;
  return nullptr;
}

/// Of memory a step may read the block's own variables by name, which the body
/// does not store: `a += step` where all threads have set a shared `step`.
bool readsKeptShared(const Effects &Step) {
  return llvm::all_of(Step.Memory, [](const MemoryAccess &A) {
    return A.Root.Where == Space::Constant ||
           (A.Root.Where == Space::Shared && A.Root.Var && !A.Volatile &&
            A.Root.Var->isLocalVarDecl() && !A.Root.Var->hasExternalStorage());
  });
}

/// `n--` in `while (n--)`, `--n > 0` or `i++ < n && ok`: the condition steps a
/// variable whenever it is asked, and names it nowhere else. What was asked can
/// then be had back by arithmetic: not in a type that is narrower than `int`,
/// which wraps where a sum does not.
const UnaryOperator *stepIn(const Expr *Cond, const ASTContext &Context) {
  const Expr *E = Cond->IgnoreParenImpCasts();
  const auto *B = dyn_cast<BinaryOperator>(E);
  for (; B && B->getOpcode() == BO_LAnd; B = dyn_cast<BinaryOperator>(E))
    E = B->getLHS()->IgnoreParenImpCasts();
  llvm::SmallVector<const Expr *, 2> Places = {E};
  if (B && B->isComparisonOp())
    Places = {B->getLHS()->IgnoreParenImpCasts(),
              B->getRHS()->IgnoreParenImpCasts()};
  for (const Expr *Place : Places) {
    const auto *U = dyn_cast<UnaryOperator>(Place);
    const VarDecl *V =
        U && U->isIncrementDecrementOp() ? updatedVariable(U) : nullptr;
    if (!V)
      continue;
    QualType T = V->getType().getCanonicalType().getUnqualifiedType();
    if (!T->isBuiltinType() || !T->isIntegerType() ||
        Context.getIntWidth(T) < Context.getIntWidth(Context.IntTy))
      return nullptr;
    return timesNamed(Cond, V) == 1 ? U : nullptr;
  }
  return nullptr;
}

/// What of the header a variable is for that the body changes.
Message whatReads(const VarDecl *V, const Effects &Cond,
                  const LoopFacts &Facts) {
  if (Cond.Reads.count(V))
    return {msg::body_changes_header, quoted(V)};
  for (const HeaderVar &H : Facts.Tile.HeaderVars)
    if (H.Var != V && effectsOf(H.Update, *Facts.In).Reads.count(V))
      return {msg::body_changes_step, quoted(V), quoted(H.Var)};
  return {msg::body_changes_stepped, quoted(V)};
}

/// The parts of a for loop's step, and the step that the condition takes.
void findStepsInHeader(LoopFacts &Facts, const Expr *Step) {
  TileLoop &Tile = Facts.Tile;
  llvm::SmallVector<const Expr *, 2> Parts;
  if (Step)
    splitCommas(Step, Parts);
  for (const Expr *Part : Parts) {
    const VarDecl *V = updatedVariable(Part);
    Effects E = effectsOf(Part, *Facts.In);
    if (!V || E.Writes.size() != 1 || !E.isPure()) {
      find(Facts, startOf(Part), msg::step_is_not_simple);
      continue;
    }
    // The next tile's value is written as one update of this one's.
    if (llvm::any_of(Tile.HeaderVars,
                     [&](const HeaderVar &H) { return H.Var == V; })) {
      find(Facts, startOf(Part), {msg::step_changes_twice, quoted(V)});
      continue;
    }
    Tile.HeaderVars.push_back({V, Part, false, false});
    Facts.Header = inSequence({&Facts.Header, &E});
    if (!readsKeptShared(E) || storedShared(E, Facts.Body))
      find(Facts, startOf(Part), msg::step_reads_memory);
  }
  if (Tile.CondStep) {
    const VarDecl *V = updatedVariable(Tile.CondStep);
    if (llvm::any_of(Tile.HeaderVars,
                     [&](const HeaderVar &H) { return H.Var == V; }))
      find(Facts, startOf(Tile.CondStep), {msg::step_changes_twice, quoted(V)});
    else
      Tile.HeaderVars.push_back({V, Tile.CondStep, false, false});
  }
}

} // namespace

void analyzeHeader(LoopFacts &Facts) {
  TileLoop &Tile = Facts.Tile;
  const Expr *Step = nullptr;
  if (const auto *F = dyn_cast<ForStmt>(Tile.Loop)) {
    Tile.Kind = LoopKind::For;
    Tile.Init = F->getInit();
    Tile.Cond = F->getCond();
    Step = F->getInc();
    if (F->getConditionVariable())
      return find(Facts, startOf(Tile.Loop), msg::condition_declares_variable);
  } else if (const auto *W = dyn_cast<WhileStmt>(Tile.Loop)) {
    Tile.Kind = LoopKind::While;
    Tile.Cond = W->getCond();
    if (W->getConditionVariable())
      return find(Facts, startOf(Tile.Loop), msg::condition_declares_variable);
  } else {
    Tile.Kind = LoopKind::Do;
    Tile.Cond = cast<DoStmt>(Tile.Loop)->getCond();
  }
  if (!Tile.Cond)
    return find(Facts, startOf(Tile.Loop), msg::loop_without_condition);

  Effects Cond = effectsOf(Tile.Cond, *Facts.In);
  Facts.Header = Cond;
  if (!Cond.isPure())
    find(Facts, startOf(Tile.Cond), msg::condition_has_side_effects);
  else if (Cond.Writes.size() == 1 &&
           (Tile.CondStep = stepIn(Tile.Cond, Facts.In->context())))
    Cond.Writes.clear();
  else if (!Cond.Writes.empty())
    find(Facts, startOf(Tile.Cond),
         {msg::condition_changes_variable,
          quoted(inOrder(Cond.Writes).front())});
  if (const MemoryAccess *Stored = storedShared(Cond, Facts.Body)) {
    find(Facts, startOf(Tile.Cond), msg::condition_reads_shared);
    if (Stored->At)
      Facts.Obstacles.back().Notes.push_back(
          {startOf(Stored->At), msg::written_here});
  }

  findStepsInHeader(Facts, Step);
  auto IsHeaderVar = [&](const VarDecl *V) {
    return llvm::any_of(Tile.HeaderVars,
                        [&](const HeaderVar &H) { return H.Var == V; });
  };
  if (Tile.HeaderVars.empty())
    findStepsInBody(Facts);
  if (Tile.HeaderVars.empty() && Facts.Obstacles.empty())
    find(Facts, startOf(Tile.Loop), msg::nothing_advances);

  // What the header reads must not depend on the body, or else on itself only.
  for (unsigned I = 0; I != Facts.Items.size(); ++I) {
    if (Tile.Body[I].Step)
      continue;
    for (const VarDecl *V : Facts.Items[I].Writes)
      if (IsHeaderVar(V) || Facts.Header.Reads.count(V))
        find(Facts, startOf(Tile.Body[I].S), whatReads(V, Cond, Facts));
  }
  for (const HeaderVar &H : Tile.HeaderVars) {
    Effects E = effectsOf(H.Update, *Facts.In);
    for (const VarDecl *V : inOrder(E.Reads))
      if (V != H.Var && IsHeaderVar(V))
        find(Facts, startOf(H.Update),
             {msg::step_reads_stepped, quoted(H.Var), quoted(V)});
  }
}

} // namespace kpipe
