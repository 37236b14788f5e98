// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function, or a call of it, with what its variables and parameters can point
// to, see Scope.h.

#include "Scope.h"
#include "Initialisers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Roots Scope::ofLValue(const Expr *E) const {
  Step S(*Spent);
  return S.tooMany() ? unknownRoots() : lvalueRoots(E);
}

Roots Scope::ofPointer(const Expr *E) const {
  Step S(*Spent);
  return S.tooMany() ? unknownRoots() : pointerRoots(E);
}

Scope::Scope(ASTContext &Context, const FunctionDecl *Function,
             const CallIndex *Calls)
    : Context(Context), Function(Function), Calls(Calls),
      Spent(std::make_shared<Effort>()) {
  if (const Stmt *Body = Function->getBody())
    Assigned = valuesOfPointers(Body);
}

Scope::Scope(const Scope &From, const FunctionDecl *Callee,
             llvm::ArrayRef<const Expr *> Args, const Expr *Object)
    : Context(From.Context), Function(Callee), Caller(&From), Object(Object),
      Depth(From.Depth + 1), Block(From.Block), Spent(From.Spent) {
  unsigned Count = std::min<unsigned>(Args.size(), Callee->getNumParams());
  for (unsigned I = 0; I != Count; ++I)
    Arguments[Callee->getParamDecl(I)] = Args[I];
  if (const Stmt *Body = Callee->getBody())
    Assigned = valuesOfPointers(Body);
}

const CallIndex *Scope::index() const {
  const Scope *S = this;
  while (S->Caller)
    S = S->Caller;
  return S->Calls;
}

bool Scope::isCalling(const FunctionDecl *Callee) const {
  for (const Scope *S = this; S; S = S->Caller)
    if (S->Function->getCanonicalDecl() == Callee->getCanonicalDecl())
      return true;
  return false;
}

bool Scope::contains(const FunctionDecl *Callee) const {
  return Depth >= MaxDepth || isCalling(Callee) ||
         (Depth >= FreeDepth && Spent->Deep++ >= MaxDeep);
}

/// Is V a variable of a function on the way here, or of the one around a
/// closure that is the outermost? Any other belongs to a caller that made the
/// closure: here it may have another name as well.
bool Scope::isOnTheWay(const VarDecl *V) const {
  const DeclContext *Of = V->getDeclContext();
  for (const Scope *S = this; S; S = S->Caller) {
    if (S->Function == Of)
      return true;
    const auto *M = dyn_cast<CXXMethodDecl>(S->Function);
    if (!M || !M->getParent()->isLambda())
      continue;
    if (!S->Caller)
      return true;
    // A closure's own copy, which is never changed.
    if (M->isConst() &&
        llvm::any_of(M->getParent()->captures(), [&](const LambdaCapture &C) {
          return C.capturesVariable() && C.getCapturedVar() == V &&
                 C.getCaptureKind() == LCK_ByCopy;
        }))
      return true;
  }
  return false;
}

Roots Scope::ofVariable(const VarDecl *V) const {
  if (const VarDecl *Part = Parts.lookup(V))
    if (V->getType()->isReferenceType())
      return {rootAt(Space::Shared, Part)};
  if (V->getType()->isReferenceType()) {
    if (auto It = Arguments.find(V); It != Arguments.end())
      return Caller->ofLValue(It->second);
    if (const auto *P = dyn_cast<ParmVarDecl>(V); P && bindsLocal(P))
      return {rootAt(Space::Local, P)};
    auto It = Assigned.find(V);
    if (It == Assigned.end() && Caller)
      return Caller->ofVariable(V); // captured by the closure that is called
    if (It == Assigned.end() && isa<ParmVarDecl>(V) && !Caller)
      return ofOpenReference(cast<ParmVarDecl>(V));
    if (It == Assigned.end() || llvm::is_contained(Resolving, V))
      return unknownRoots();
    Resolving.push_back(V);
    Roots R;
    for (const Expr *E : It->second)
      addRoots(R, E ? ofLValue(E) : unknownRoots());
    Resolving.pop_back();
    return R;
  }
  if (V->hasLocalStorage() && !isOnTheWay(V))
    return unknownRoots();
  MemoryRoot R;
  R.Var = V;
  if (V->hasAttr<CUDASharedAttr>())
    R.Where = Space::Shared;
  else if (V->hasAttr<CUDAConstantAttr>() ||
           (V->hasGlobalStorage() && V->getType().isConstQualified()))
    R.Where = Space::Constant;
  else if (V->hasGlobalStorage())
    R.Where = Space::Global;
  else
    R.Where = Space::Local;
  return {R};
}

Roots Scope::ofPointerVar(const VarDecl *V) const {
  if (const VarDecl *Part = Parts.lookup(V))
    return {rootAt(Space::Shared, Part)};
  if (llvm::is_contained(Resolving, V))
    return {};
  Roots R;
  if (isa<ParmVarDecl>(V)) {
    if (auto It = Arguments.find(V); It != Arguments.end()) {
      addRoots(R, Caller->ofPointer(It->second));
    } else if (Caller) {
      // Of an enclosing function, captured by the closure that is called.
      return V->getDeclContext() == Function ? unknownRoots()
                                             : Caller->ofPointerVar(V);
    } else {
      addRoots(R, ofOpenParameter(cast<ParmVarDecl>(V)));
    }
  } else if (V->hasGlobalStorage() && !V->hasAttr<CUDASharedAttr>()) {
    if (isInitialisedElsewhere(V))
      return unknownRoots();
    // Constant memory is the host's.
    MemoryRoot Root = rootAt(Space::Global, V);
    Root.Indirect = true;
    Root.Assumed = !V->hasAttr<CUDAConstantAttr>() &&
                   (!index() || index()->StoresPointers);
    return {Root};
  } else if (V->hasGlobalStorage()) {
    return unknownRoots();
  } else if (!Assigned.count(V)) {
    return Caller ? Caller->ofPointerVar(V) : unknownRoots();
  }
  Resolving.push_back(V);
  if (auto It = Assigned.find(V); It != Assigned.end())
    for (const Expr *E : It->second)
      addRoots(R, E ? ofPointer(E) : unknownRoots());
  Resolving.pop_back();
  if (!isa<ParmVarDecl>(V) && V->getType().isRestrictQualified())
    for (MemoryRoot &Root : R)
      if (!Root.Promise)
        Root.Promise = V;
  return R;
}

/// Does a call give a parameter a shared array, or a variable, of its caller's
/// that it gives no other parameter, and that the object does not reach? Then
/// nothing else in the callee reaches it.
static bool givesOwn(const HeldPointers::Call &Call, unsigned Parameter,
                     const Scope &Caller, Space Where) {
  const Expr *Argument = Call.Arguments[Parameter];
  const Roots Given = Argument->getType()->isPointerType()
                          ? Caller.ofPointer(Argument)
                          : Caller.ofLValue(Argument);
  if (Given.size() != 1 || Given[0].Where != Where || !Given[0].Var ||
      Given[0].Indirect || isa<ParmVarDecl>(Given[0].Var) ||
      !Given[0].Var->isLocalVarDecl() ||
      Given[0].Var->hasExternalStorage())
    return false;
  auto Reaches = [&](const Expr *E) {
    return llvm::any_of(Caller.reached(E), [&](const MemoryRoot &R) {
      // What the host put into memory points to none of a block's own.
      const bool Hosts = R.Where == Space::Global && R.Indirect && !R.Assumed;
      return R.Where == Space::Unknown || R.Var == Given[0].Var ||
             (R.Where == Space::Shared && !R.Var) || (R.Indirect && !Hosts);
    });
  };
  for (unsigned I = 0; I != Call.Arguments.size(); ++I)
    if (I != Parameter && Reaches(Call.Arguments[I]))
      return false;
  return !Call.Object || !Reaches(Call.Object);
}

/// What a reference that is a parameter of the outermost function stands for,
/// where every call gives it an object that it gives no other parameter: a
/// shared array, or a variable of the caller's own.
Roots Scope::ofOpenReference(const ParmVarDecl *P) const {
  if (Depth >= 4 || P->getDeclContext() != Function || !isCalledInSight())
    return unknownRoots();
  auto Found = Calls->Calls.find(Function->getCanonicalDecl());
  const unsigned I = P->getFunctionScopeIndex();
  if (Found == Calls->Calls.end() || Found->second.empty())
    return unknownRoots();
  bool Shared = true, Local = !Calls->StoresPointers;
  for (const CallExpr *Call : Found->second) {
    const FunctionDecl *From = Calls->CallerOf.lookup(Call);
    const HeldPointers::Call To = calleeOf(Call);
    if (!From || From == Function || !From->getBody() ||
        I >= To.Arguments.size())
      return unknownRoots();
    Scope CallerScope(Context, From, Calls);
    CallerScope.Depth = Depth + 1;
    CallerScope.Spent = Spent;
    Shared &= givesOwn(To, I, CallerScope, Space::Shared);
    Local &= givesOwn(To, I, CallerScope, Space::Local);
  }
  if (!Shared && !Local)
    return unknownRoots();
  MemoryRoot R = rootAt(Shared ? Space::Shared : Space::Local, P);
  R.Restrict = Shared;
  return {R};
}

/// What a pointer parameter of the outermost function can point to: global
/// memory in a kernel, and in a `__device__` function what its calls give it.
Roots Scope::ofOpenParameter(const ParmVarDecl *P) const {
  MemoryRoot Own = rootAt(Space::Global, P);
  Own.Restrict = P->getType().isRestrictQualified();
  if (Function->hasAttr<CUDAGlobalAttr>())
    return {Own};
  Roots R;
  bool All = Depth < 4 && P->getDeclContext() == Function && isCalledInSight();
  auto Found = Calls ? Calls->Calls.find(Function->getCanonicalDecl())
                     : CallerMap::const_iterator();
  bool Any = false, OwnArray = true;
  if (Calls && Found != Calls->Calls.end())
    for (const CallExpr *Call : Found->second) {
      const FunctionDecl *From = Calls->CallerOf.lookup(Call);
      const HeldPointers::Call To = calleeOf(Call);
      unsigned I = P->getFunctionScopeIndex();
      if (!From || From == Function || !From->getBody() ||
          I >= To.Arguments.size() || Depth >= 4) {
        All = false;
        continue;
      }
      Scope CallerScope(Context, From, Calls);
      CallerScope.Depth = Depth + 1;
      CallerScope.Spent = Spent;
      OwnArray &= givesOwn(To, I, CallerScope, Space::Shared);
      for (MemoryRoot Root : CallerScope.ofPointer(To.Arguments[I])) {
        // A variable of the caller's may have another name here as well.
        if (Root.Where == Space::Local &&
            !givesOwn(To, I, CallerScope, Space::Local))
          Root = MemoryRoot();
        // Only the memory space travels; the variable is this one.
        Root.Var = P;
        Root.Restrict = Own.Restrict;
        Root.Promise = nullptr;
        addRoots(R, {Root});
      }
      Any = true;
    }
  if (R.empty() || !All || !Any) {
    Own.Assumed = true;
    addRoots(R, {Own});
  } else if (OwnArray) {
    for (MemoryRoot &Root : R) // as good as a promise
      Root.Restrict = true;
  }
  return R;
}

} // namespace kpipe
