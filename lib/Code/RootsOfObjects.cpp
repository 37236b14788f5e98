// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pointers that are parts of objects can point to, see Scope.h.
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
  if (!Of || Of->changes(V))
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

Roots Scope::ofThis() const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(Function);
      !Caller || (M && M->getParent()->isLambda()))
    return {MemoryRoot()};
  if (isa<CXXConstructorDecl>(Function) && !Object)
    return temporaryRoots(); // under construction: it has no other name yet
  if (!Object)
    return {MemoryRoot()};
  return Object->getType()->isPointerType() ? Caller->ofPointer(Object)
                                            : Caller->ofLValue(Object);
}

Roots Scope::ofLoaded(const Expr *From) const {
  if (auto [At, Value] = valueOfMember(From); Value)
    return At->ofPointer(Value);
  Roots R;
  bool Given = false; // by itself
  for (MemoryRoot Root : ofLValue(From)) {
    const auto *P = Root.Where == Space::Local && Root.Var
                        ? dyn_cast<ParmVarDecl>(Root.Var)
                        : nullptr;
    const Scope *Of = this;
    while (P && Of && Of->Function != P->getDeclContext())
      Of = Of->Caller;
    if (P && (!Of || P->getType()->isReferenceType() || Of->changes(P)))
      P = nullptr;
    if (P && Of->Caller) {
      const Expr *Value = Of->argument(P);
      addRoots(R, Value ? Of->Caller->ofObject(Value) : Roots{MemoryRoot()});
      continue;
    }
    if (const VarDecl *V = Root.Where == Space::Local ? Root.Var : nullptr;
        V && !isa<ParmVarDecl>(V) && V->hasLocalStorage() &&
        V->getType()->isRecordType()) {
      for (Of = this; Of && Of->Function != V->getDeclContext();)
        Of = Of->Caller;
      Given |= Of && llvm::is_contained(Of->Resolving, V);
      addRoots(R, Of ? Of->ofHeld(V) : Roots{MemoryRoot()});
      continue;
    }
    const CallIndex *Index = index();
    bool InMemory =
        Root.Where == Space::Global || Root.Where == Space::Constant;
    if (!P && !InMemory) {
      addRoots(R, {MemoryRoot()});
      continue;
    }
    // What the host gave to a kernel is global memory.
    Root.Assumed =
        P ? !Of->Function->hasAttr<CUDAGlobalAttr>()
          : Root.Where == Space::Global && (!Index || Index->StoresPointers);
    Root.Where = Space::Global;
    Root.Indirect = true;
    Root.Restrict = false;
    Root.Promise = nullptr;
    addRoots(R, {Root});
  }
  return R.empty() && !Given ? Roots{MemoryRoot()} : R;
}

Roots Scope::ofHeld(const VarDecl *V) const {
  if (llvm::is_contained(Resolving, V))
    return {};
  auto It = Held.find(V);
  if (It == Held.end())
    It = Held.try_emplace(V, heldPointers(V, Function->getBody())).first;
  HeldPointers H = It->second;
  if (H.Anything)
    return {MemoryRoot()};
  Resolving.push_back(V);
  Roots R;
  for (const Expr *E : H.Values)
    addRoots(R, ofPointer(E));
  for (const Expr *E : H.Objects)
    addRoots(R, ofObject(E));
  Resolving.pop_back();
  return R;
}

Roots Scope::ofObject(const Expr *E) const {
  Step S(*Spent);
  if (S.tooMany())
    return {MemoryRoot()};
  E = E->IgnoreImplicit();
  if (E->isGLValue())
    return ofLoaded(E);
  Roots R;
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    for (const Expr *Init : L->inits())
      if (Init->getType()->isPointerType())
        addRoots(R, ofPointer(Init));
      else if (!Init->getType()->isArithmeticType() &&
               !Init->getType()->isEnumeralType())
        addRoots(R, Init->getType()->isRecordType() ? ofObject(Init)
                                                    : Roots{MemoryRoot()});
    return R;
  }
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (!C->getConstructor()->isTrivial() || C->getNumArgs() > 1)
      return {MemoryRoot()};
    return C->getNumArgs() == 0 ? Roots() : ofObject(C->getArg(0));
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    R = ofObject(C->getTrueExpr());
    addRoots(R, ofObject(C->getFalseExpr()));
    return R;
  }
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr,
                     *Definition = nullptr;
  if (!F || isa<CXXMethodDecl>(F) || !F->hasBody(Definition) ||
      contains(Definition))
    return {MemoryRoot()};
  Scope Callee(*this, Definition,
               llvm::SmallVector<const Expr *, 4>(C->arguments()));
  for (const Expr *Value : returnedValues(Definition))
    addRoots(R, Callee.ofObject(Value));
  return R;
}

} // namespace kpipe
