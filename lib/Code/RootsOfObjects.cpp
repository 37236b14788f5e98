// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pointers that are parts of objects can point to, see Scope.h.
#include "Initialisers.h"
#include "LocalValues.h"
#include "Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The value that a pointer member of a local object has for good: the object
/// is initialised with a list and never changed.
std::pair<const Scope *, const Expr *>
Scope::valueOfMember(const Expr *E) const {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens());
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!Field || M->isArrow())
    return {};
  const auto *D = dyn_cast<DeclRefExpr>(M->getBase()->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage() || !V->getType()->isRecordType())
    return {};
  const Scope *Of = this;
  while (Of && Of->Function != V->getDeclContext())
    Of = Of->Caller;
  if (!Of || !Of->settled(Of->heldBy(V)))
    return {};
  const Scope *At = isa<ParmVarDecl>(V) ? Of->Caller : Of;
  const Expr *Init = isa<ParmVarDecl>(V) ? Of->argument(V) : V->getInit();
  const auto *List =
      Init ? dyn_cast<InitListExpr>(Init->IgnoreImplicit()) : nullptr;
  if (List && List->isSyntacticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  const auto *R = V->getType()->getAsCXXRecordDecl();
  if (!At || !List || !R || R->isUnion() || R->getNumBases() ||
      llvm::any_of(R->fields(),
                   [](const FieldDecl *F) { return F->isUnnamedBitField(); }) ||
      Field->getParent() != R || Field->getFieldIndex() >= List->getNumInits())
    return {};
  return {At, List->getInit(Field->getFieldIndex())};
}

Roots Scope::ofCopied(const ParmVarDecl *P, Part Of) const {
  Roots R;
  if (Caller) {
    const Expr *Value = argument(P);
    addRoots(R, Value ? Caller->ofObject(Value, Of) : unknownRoots());
  } else {
    addRoots(R, Of ? unknownRoots() : ofOpenObject(P));
  }
  addRoots(R, ofHeld(P, Of));
  return R;
}

/// Does E name the object that it is a part of? Through a pointer it could be
/// a part of another type.
static bool isNamedPart(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts());
      E = M->getBase();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      E = A->getBase()->IgnoreParenImpCasts();
      if (!E->getType()->isArrayType())
        return false;
    } else if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() != CK_NoOp && C->getCastKind() != CK_DerivedToBase &&
          C->getCastKind() != CK_UncheckedDerivedToBase)
        return false;
      E = C->getSubExpr();
    } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      return U->getOpcode() == UO_Deref &&
             isa<CXXThisExpr>(U->getSubExpr()->IgnoreParenImpCasts());
    } else {
      return true;
    }
  }
}

Roots Scope::ofLoaded(const Expr *From, Part What) const {
  if (auto [At, Value] = valueOfMember(From); Value)
    return What ? At->ofLValue(Value) : At->ofPointer(Value);
  if (auto Unnamed = ofUnnamed(From, What))
    return *Unnamed;
  Roots R;
  bool Given = false; // by itself
  Roots Places;
  if (const auto *M = dyn_cast<MemberExpr>(From);
      M && M->getMemberDecl() == What) {
    if (!M->getBase()->isGLValue() && !M->isArrow())
      return ofObject(M->getBase(), What);
    Places = M->isArrow() ? ofPointer(M->getBase()) : ofLValue(M->getBase());
  } else {
    Places = ofLValue(From);
  }
  for (MemoryRoot Root : Places) {
    const VarDecl *V = Root.Where == Space::Local ? Root.Var : nullptr;
    if (V && V->hasLocalStorage() &&
        V->getType().getNonReferenceType()->isRecordType()) {
      const Scope *Of = this;
      while (Of && Of->Function != V->getDeclContext())
        Of = Of->Caller;
      Given |= Of &&
               (What ? llvm::is_contained(Of->ResolvingPart, std::pair(V, What))
                     : llvm::is_contained(Of->Resolving, V));
      const auto *P = dyn_cast<ParmVarDecl>(V);
      addRoots(R, !Of || !isNamedPart(From) ? unknownRoots()
                  : P                       ? Of->ofCopied(P, What)
                                            : Of->ofHeld(V, What));
      continue;
    }
    if ((Root.Where != Space::Global && Root.Where != Space::Constant) ||
        (Root.Var && isInitialisedElsewhere(Root.Var))) {
      addRoots(R, unknownRoots());
      continue;
    }
    const CallIndex *Index = index();
    Root.Assumed =
        Root.Where == Space::Global && (!Index || Index->StoresPointers);
    Root.Where = Space::Global;
    Root.Indirect = true;
    Root.Restrict = false;
    Root.Promise = nullptr;
    addRoots(R, {Root});
  }
  return R.empty() && !Given ? unknownRoots() : R;
}

const HeldPointers &Scope::heldBy(const ValueDecl *V) const {
  auto It = Held.find(V);
  if (It == Held.end())
    It = Held.try_emplace(V, heldPointers(V, Function)).first;
  return It->second;
}

bool Scope::settled(const HeldPointers &H) const {
  if (H.Anything || !H.Values.empty() || H.Objects.size() > 1 ||
      !llvm::all_of(H.BoundTo, [&](Part F) { return settledBy(F); }))
    return false;
  return llvm::all_of(H.Calls, [&](const HeldPointers::Call &C) {
    const FunctionDecl *Definition = nullptr;
    if (!C.Callee->hasBody(Definition) || contains(Definition))
      return false;
    Scope Callee(*this, Definition, C.Arguments, C.Object);
    const HeldPointers &In = Callee.heldBy(
        C.Parameter ? Definition->getParamDecl(*C.Parameter) : nullptr);
    return In.Objects.empty() && !(In.Returned && C.Used) && Callee.settled(In);
  });
}

/// What is done by the name of a reference member is looked at in each function
/// apart; who calls it, and with what, is not asked. So nothing may be done.
bool Scope::settledBy(const FieldDecl *Reference) const {
  const CallIndex *Index = index();
  Step S(*Spent);
  if (!Index || S.tooMany() ||
      Context.getSourceManager().isInSystemHeader(Reference->getLocation()))
    return false;
  if (llvm::is_contained(Spent->Looking, Reference))
    return true; // as far as is asked here; the first question decides
  auto Found = Index->NamedIn.find(Reference);
  if (Found == Index->NamedIn.end())
    return true;
  Spent->Looking.push_back(Reference);
  bool Settled = llvm::all_of(Found->second, [&](const FunctionDecl *F) {
    if (!F || !F->getBody())
      return false;
    Scope In(Context, F, Index);
    In.Spent = Spent;
    const HeldPointers &By = In.heldBy(Reference);
    return By.Objects.empty() && !By.Returned && In.settled(By);
  });
  Spent->Looking.pop_back();
  return Settled;
}

Roots Scope::ofHeld(const VarDecl *V, Part Of) const {
  if (Of ? llvm::is_contained(ResolvingPart, std::pair(V, Of))
         : llvm::is_contained(Resolving, V))
    return {};
  Of ? ResolvingPart.push_back({V, Of}) : Resolving.push_back(V);
  Roots R = ofGiven(HeldPointers(heldBy(V)), Of);
  Of ? ResolvingPart.pop_back() : Resolving.pop_back();
  return R;
}

Roots Scope::ofGiven(const HeldPointers &H, Part Of) const {
  if (H.Anything)
    return unknownRoots();
  Roots R;
  if (Of) { // which is bound once, with the object
    for (auto [Reference, To] : H.References)
      if (Reference == Of)
        addRoots(R, ofLValue(To));
  } else {
    for (const Expr *E : H.Values)
      addRoots(R, ofPointer(E));
    for (const FieldDecl *F : H.BoundTo)
      if (!settledBy(F))
        addRoots(R, unknownRoots());
  }
  for (const Expr *E : H.Objects)
    addRoots(R, ofObject(E, Of));
  for (const HeldPointers::Call &C : H.Calls)
    addRoots(R, ofHanded(C, Of));
  // An object without a name may be the one that is being made, which keeps
  // the address of a part of its own.
  return llvm::any_of(R,
                      [](const MemoryRoot &X) {
                        return X.Where == Space::Local && !X.Var;
                      })
             ? unknownRoots()
             : R;
}

Roots Scope::ofHanded(const HeldPointers::Call &C, Part Of) const {
  Step S(*Spent);
  const FunctionDecl *Definition = nullptr;
  if (S.tooMany() || !C.Callee->hasBody(Definition) || contains(Definition) ||
      Definition->isWeak())
    return unknownRoots();
  Scope Callee(*this, Definition, C.Arguments, C.Object);
  HeldPointers H = Callee.heldBy(
      C.Parameter ? Definition->getParamDecl(*C.Parameter) : nullptr);
  return H.Returned && C.Used ? unknownRoots() : Callee.ofGiven(H, Of);
}

Roots Scope::ofClosure(const LambdaExpr *L) const {
  Roots R;
  for (const LambdaCapture &C : L->captures()) {
    const auto *V =
        C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
    if (C.capturesThis()) {
      addRoots(R, ofThis());
    } else if (!V || L->isInitCapture(&C)) {
      addRoots(R, unknownRoots());
    } else if (C.getCaptureKind() == LCK_ByRef ||
               V->getType()->isReferenceType()) {
      addRoots(R, ofVariable(V));
      if (!V->getType().getNonReferenceType()->isArithmeticType())
        addRoots(R, unknownRoots()); // what it holds in turn
    } else if (V->getType()->isPointerType()) {
      addRoots(R, ofPointerVar(V));
    } else if (!V->getType()->isArithmeticType()) {
      addRoots(R, unknownRoots());
    }
  }
  return R;
}

Roots Scope::ofReferences(const Expr *Object, QualType T) const {
  Roots R;
  T = QualType(T->getBaseElementTypeUnsafe(), 0);
  const auto *Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return R;
  for (const CXXBaseSpecifier &B : Class->bases())
    addRoots(R, ofReferences(Object, B.getType()));
  for (const FieldDecl *F : Class->fields()) {
    QualType Of = F->getType();
    if (!Of->isReferenceType()) {
      addRoots(R, ofReferences(Object, Of));
      continue;
    }
    addRoots(R, ofObject(Object, F));
    if (!Of.getNonReferenceType()->isArithmeticType())
      addRoots(R, unknownRoots()); // what it holds in turn
  }
  return R;
}

Roots Scope::ofList(const InitListExpr *L, Part Of) const {
  Roots R;
  if (L->isSyntacticForm() && L->getSemanticForm())
    L = L->getSemanticForm();
  for (const Expr *Init : L->inits()) {
    QualType T = Init->getType();
    if (Init->isGLValue()) { // some member that is a reference
      if (Of)
        addRoots(R, ofLValue(Init));
    } else if (T->isPointerType()) {
      addRoots(R, Of ? Roots() : ofPointer(Init));
    } else if (!T->isArithmeticType() && !T->isEnumeralType()) {
      addRoots(R, T->isRecordType() ? ofObject(Init, Of) : unknownRoots());
    }
  }
  return R;
}

Roots Scope::ofObject(const Expr *E, Part Of) const {
  Step S(*Spent);
  if (S.tooMany())
    return unknownRoots();
  for (const Expr *Inner = nullptr; E != Inner;) {
    Inner = E = E->IgnoreParens()->IgnoreImplicit();
    const auto *C = dyn_cast<CastExpr>(E);
    if (C && (C->getCastKind() == CK_NoOp ||
              C->getCastKind() == CK_ConstructorConversion ||
              C->getCastKind() == CK_UserDefinedConversion))
      E = C->getSubExpr();
    else
      E = E->IgnoreParens();
  }
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return ofObject(D->getExpr(), Of);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return ofObject(D->getExpr(), Of);
  if (E->isGLValue())
    return ofLoaded(E, Of);
  Roots R;
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return ofList(L, Of);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *K = C->getConstructor();
    if (K->isTrivial() && C->getNumArgs() < 2)
      return C->getNumArgs() == 0 ? Roots() : ofObject(C->getArg(0), Of);
    HeldPointers::Call Made;
    Made.Callee = K;
    Made.Arguments.append(C->arg_begin(), C->arg_end());
    return ofHanded(Made, Of);
  }
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return Of ? unknownRoots() : ofClosure(L);
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    R = ofObject(C->getTrueExpr(), Of);
    addRoots(R, ofObject(C->getFalseExpr(), Of));
    return R;
  }
  const auto *C = dyn_cast<CallExpr>(E);
  if (!C)
    return unknownRoots();
  HeldPointers::Call To = calleeOf(C);
  const FunctionDecl *Definition = nullptr;
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(To.Callee);
  if (!To.Callee || (M && M->isVirtual()) || !To.Callee->hasBody(Definition) ||
      contains(Definition))
    return unknownRoots();
  Scope Callee(*this, Definition, To.Arguments, To.Object);
  for (const Expr *Value : returnedValues(Definition))
    addRoots(R, Callee.ofObject(Value, Of));
  return R;
}

} // namespace kpipe
