// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mentions of memory in the order in which they are evaluated, and where each
// one lies. See StageTracer.h.
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "StageTracer.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TraceEvent &StageTracer::add(TraceKind Kind, const Stmt *At) {
  TraceEvent E;
  E.Kind = Kind;
  E.Turn = Turn;
  E.After = After;
  E.At = At;
  E.Maybe = Maybe != 0;
  E.FromGlobal = FromGlobal;
  E.FromShared = FromShared;
  Trace.Events.push_back(E);
  return Trace.Events.back();
}

void StageTracer::place(TraceKind Kind, const Stmt *At, const RunValue &Where,
                        const VarDecl *Array) {
  TraceEvent &E = add(Kind, At);
  E.Array = Array;
  if (Where.isAddress()) {
    E.Base = Where.Base;
    E.Offset = Where.Number;
  }
}

const Roots &StageTracer::rootsOf(const Expr *E) {
  auto It = KnownRoots.find(E);
  if (It == KnownRoots.end())
    It = KnownRoots
             .try_emplace(E, E->isGLValue() ? Of.In.ofLValue(E)
                                            : Of.In.ofPointer(E))
             .first;
  return It->second;
}

/// Where a pointer points to, a glvalue lies.
RunValue StageTracer::addressOf(const Expr *E) {
  if (changes(E))
    return {};
  return E->isGLValue() ? ThreadRun::place(E) : value(E);
}

void StageTracer::touch(const Stmt *S, Role R) {
  if (!S)
    return;
  if (auto Op = OpsAt.find(S); Op != OpsAt.end()) {
    for (const AsyncOp *One : Op->second)
      operation(*One);
    return;
  }
  if (exchangedBy(S).first)
    return; // variables of the thread's own
  if (const auto *P = dyn_cast<ParenExpr>(S))
    return touch(P->getSubExpr(), R);
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    return assembly(A);
  if (isa<LambdaExpr, PseudoObjectExpr>(S))
    return;
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One); V && V->getInit())
        touch(V->getInit(), V->getType()->isReferenceType() ||
                                    !V->getInit()->isGLValue()
                                ? Role::None
                                : Role::Read);
    return;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
    touch(B->getRHS(), B->getRHS()->isGLValue() ? Role::Read : Role::None);
    if (B->isCompoundAssignmentOp())
      touch(B->getLHS(), Role::Read);
    return touch(B->getLHS(), Role::Write);
  }
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(S);
      O && O->getOperator() == OO_Equal && O->getNumArgs() == 2) {
    touch(O->getArg(1), Role::Read);
    return touch(O->getArg(0), Role::Write);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(S))
    return choice(C, R);
  if (const auto *C = dyn_cast<CallExpr>(S))
    return call(C);
  if (const auto *C = dyn_cast<CastExpr>(S)) {
    const Expr *E = C->getSubExpr();
    return touch(E, C->getCastKind() == CK_LValueToRValue ? Role::Read
                    : C->isGLValue() && E->isGLValue()     ? R
                                                           : Role::None);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(S);
      C && C->getNumArgs() == 1 && C->getArg(0)->isGLValue())
    return touch(C->getArg(0), Role::Read);
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->isIncrementDecrementOp()) {
    touch(U->getSubExpr(), Role::Read);
    return touch(U->getSubExpr(), Role::Write);
  }
  const auto *U = dyn_cast<UnaryOperator>(S);
  if (isa<ArraySubscriptExpr, MemberExpr, DeclRefExpr>(S) ||
      (U && U->getOpcode() == UO_Deref))
    if (R != Role::None)
      mention(cast<Expr>(S), R);
  for (const Stmt *Child : S->children())
    touch(Child, Role::None);
}

void StageTracer::choice(const ConditionalOperator *C, Role R) {
  touch(C->getCond(), Role::None);
  const RunValue Test = value(C->getCond());
  if (Test.isNumber())
    return touch(Test.Number ? C->getTrueExpr() : C->getFalseExpr(), R);
  ++Maybe;
  touch(C->getTrueExpr(), R);
  touch(C->getFalseExpr(), R);
  --Maybe;
}

void StageTracer::mention(const Expr *E, Role R) {
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || (!V->getType()->isReferenceType() &&
               !V->hasAttr<CUDASharedAttr>()))
      return;
  }
  bool IsShared = false, IsGlobal = false;
  const VarDecl *Array = nullptr;
  for (const MemoryRoot &Root : rootsOf(E)) {
    if (Root.Where == Space::Shared) {
      IsShared = true;
      Array = Root.Var;
    }
    IsGlobal |= Root.Where == Space::Global;
    Trace.Unsure |= Root.Where == Space::Unknown;
  }
  const RunValue Where = addressOf(E);
  if (IsShared)
    place(R == Role::Write ? TraceKind::Write : TraceKind::Read, E, Where,
          Array);
  else if (IsGlobal && R == Role::Read)
    place(TraceKind::Fetch, E, Where, nullptr);
}

static bool isAddress(const Expr *E) {
  return E->isGLValue() || E->getType()->isPointerType();
}

void StageTracer::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (F && classifyCall(F) == CallKind::BlockBarrier) {
    add(TraceKind::Barrier, C);
    return;
  }
  for (const Expr *A : C->arguments())
    touch(A, Role::None);
  const Effects &E = effects(C);
  // Copies of theirs that are no operations of this function.
  Trace.Unsure |= E.has(EventKind::AsyncCopy) || E.has(EventKind::UnknownCall);
  // What the call does stands in one list with what its arguments do, which
  // were looked at; it does it through addresses.
  for (const MemoryAccess &A : E.Memory)
    if (A.At == C || llvm::any_of(C->arguments(), [&](const Expr *Arg) {
          return isAddress(Arg) && A.At->IgnoreParenImpCasts() ==
                                       Arg->IgnoreParenImpCasts();
        }))
      argumentsOf(C, A);
  if (E.has(EventKind::BlockBarrier))
    add(TraceKind::Barrier, C);
}

/// An access of a callee's, by the argument that leads to it.
void StageTracer::argumentsOf(const CallExpr *C, const MemoryAccess &A) {
  const TraceKind Kind = A.Root.Where == Space::Global ? TraceKind::Fetch
                         : A.Write                     ? TraceKind::Write
                                                       : TraceKind::Read;
  Trace.Unsure |= A.Root.Where == Space::Unknown;
  if ((A.Root.Where != Space::Shared && A.Root.Where != Space::Global) ||
      (Kind == TraceKind::Fetch && A.Write))
    return;
  bool Found = false;
  for (const Expr *Arg : C->arguments()) {
    if (!isAddress(Arg))
      continue;
    if (llvm::none_of(rootsOf(Arg), [&](const MemoryRoot &R) {
          return R.Where == A.Root.Where && R.Var == A.Root.Var;
        }))
      continue;
    Found = true;
    place(Kind, Arg, addressOf(Arg),
          A.Root.Where == Space::Shared ? A.Root.Var : nullptr);
  }
  if (!Found)
    place(Kind, C, {}, A.Root.Where == Space::Shared ? A.Root.Var : nullptr);
}

void StageTracer::assembly(const GCCAsmStmt *A) {
  const AsmEffect E = classifyAsm(A->getAsmString());
  if (E.Kind == CallKind::BlockBarrier) {
    add(TraceKind::Barrier, A);
    return;
  }
  Trace.Unsure |= E.Kind == CallKind::Ordinary;
  bool Found = !E.ReadsShared && !E.WritesShared;
  for (unsigned I = 0; I != A->getNumInputs(); ++I) {
    const Expr *In = A->getInputExpr(I);
    touch(In, Role::None);
    if (!E.ReadsShared && !E.WritesShared)
      continue;
    const RunValue Where = addressOf(In);
    if (!Where.isAddress() || !Where.Base->hasAttr<CUDASharedAttr>())
      continue;
    Found = true;
    place(E.WritesShared ? TraceKind::Write : TraceKind::Read, In, Where,
          Where.Base);
  }
  if (!Found)
    place(E.WritesShared ? TraceKind::Write : TraceKind::Read, A, {}, nullptr);
  if (E.ReadsGlobal)
    place(TraceKind::Fetch, A, {}, nullptr);
}

void StageTracer::operation(const AsyncOp &Op) {
  switch (Op.Kind) {
  case AsyncKind::Copy: {
    const RunValue From = addressOf(Op.From), To = addressOf(Op.To);
    FromGlobal = true;
    FromShared = false;
    place(TraceKind::Fetch, Op.At, From, nullptr);
    Trace.Events.back().Async = true;
    Trace.Events.back().Guarded =
        Op.Kept || Op.Zeros || Op.KeptIf || Op.Predicate;
    place(TraceKind::Write, Op.At, To, To.isAddress() ? To.Base : nullptr);
    Trace.Events.back().Async = true;
    Trace.Unsure |= Op.Object != nullptr || Op.Group != nullptr;
    break;
  }
  case AsyncKind::Commit:
    add(TraceKind::Commit, Op.At);
    Trace.Unsure |= Op.Object != nullptr;
    break;
  case AsyncKind::Wait:
    add(TraceKind::Wait, Op.At).Keep = Op.Keep;
    Trace.Unsure |= Op.Object != nullptr;
    break;
  case AsyncKind::WaitAll:
    add(TraceKind::Commit, Op.At);
    add(TraceKind::Wait, Op.At);
    break;
  case AsyncKind::GroupWait:
    add(TraceKind::Wait, Op.At);
    add(TraceKind::Barrier, Op.At);
    Trace.Unsure = true;
    break;
  default:
    Trace.Unsure = true;
  }
}

} // namespace kpipe
