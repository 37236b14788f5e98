// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the callers of a function say of its object and of the objects that its
// references are bound to, see StorageResolver.h.

#include "ObjectPointers.h"
#include "StorageResolver.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool StorageResolver::eachCall(
    const CallFrame &In,
    llvm::function_ref<bool(const CallExpr *, const CallFrame &)> Each) {
  const FunctionDecl *F = In.Function;
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (In.Caller || !In.Index || In.Depth >= MaxDepth || spent() ||
      F->hasAttr<CUDAGlobalAttr>() || In.Index->hidden(F) ||
      (M && (M->isVirtual() || isa<CXXConstructorDecl, CXXDestructorDecl>(M))) ||
      In.Index->context().getLangOpts().GPURelocatableDeviceCode)
    return false;
  auto Calls = In.Index->callsOf(F);
  return !Calls.empty() && llvm::all_of(Calls, [&](const CodeIndex::Call &C) {
    CallFrame Outer;
    Outer.Function = C.In;
    Outer.Index = In.Index;
    Outer.Depth = In.Depth + 1;
    return C.In && C.In != F && Each(C.At, Outer);
  });
}

static bool allLocal(const Storages &Found) {
  return llvm::all_of(Found, [](const Storage &P) {
    return P.Where == Storage::Kind::Local;
  });
}

/// Can a value of the type refer to nothing else?
static bool refersToNothing(const Type *T) {
  T = T->getBaseElementTypeUnsafe();
  if (T->isArithmeticType() || T->isEnumeralType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition())
    return false;
  for (const FieldDecl *F : R->fields())
    if (!refersToNothing(F->getType().getTypePtr()))
      return false;
  for (const CXXBaseSpecifier &B : R->bases())
    if (!refersToNothing(B.getType().getTypePtr()))
      return false;
  return true;
}

static bool hasReferences(const Type *T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition())
    return false;
  for (const FieldDecl *F : R->fields())
    if (F->getType()->isReferenceType() ||
        hasReferences(F->getType().getTypePtr()))
      return true;
  for (const CXXBaseSpecifier &B : R->bases())
    if (hasReferences(B.getType().getTypePtr()))
      return true;
  return false;
}

/// All that an operand of a call lets the callee reach.
Storages StorageResolver::reached(const Expr *E, const CallFrame &In) {
  if (E->getType()->isPointerType())
    return pointer(E, In);
  Storages Found = E->isGLValue() ? lvalue(E, In) : Storages{};
  if (hasReferences(E->getType().getTypePtr()))
    return unknownStorage();
  if (!refersToNothing(E->getType().getTypePtr()))
    add(Found, ObjectPointers(*this).object(E, In));
  return Found;
}

bool StorageResolver::isHandedOnce(const CallExpr *C, const Expr *As,
                                   const Storages &Own,
                                   const CallFrame &Outer) {
  auto Operands = argumentsOf(C);
  if (const Expr *On = objectOf(C))
    Operands.push_back(On);
  for (const Expr *E : Operands)
    if (E != As)
      for (const Storage &Q : reached(E, Outer))
        for (const Storage &S : Own)
          if (Q.Where == Storage::Kind::Unknown ||
              (Q.Where == Storage::Kind::Local && Q.Var == S.Var))
            return false;
  return true;
}

bool StorageResolver::ownIsLocal(const CallFrame &In) {
  const auto *M = dyn_cast<CXXMethodDecl>(In.Function);
  // The members of a union are one.
  return M && !M->isStatic() && !M->getParent()->isUnion() &&
         eachCall(In, [&](const CallExpr *C, const CallFrame &Outer) {
           const Expr *On = objectOf(C);
           if (!On)
             return false;
           Storages Own = On->getType()->isPointerType() ? pointer(On, Outer)
                                                         : lvalue(On, Outer);
           return allLocal(Own) && isHandedOnce(C, On, Own, Outer);
         });
}

bool StorageResolver::bindsLocal(const ParmVarDecl *P, const CallFrame &In) {
  return P->getType().getNonReferenceType()->isRecordType() &&
         eachCall(In, [&](const CallExpr *C, const CallFrame &Outer) {
           auto Args = argumentsOf(C);
           unsigned I = P->getFunctionScopeIndex();
           if (I >= Args.size())
             return false;
           Storages Own = lvalue(Args[I], Outer);
           return allLocal(Own) && isHandedOnce(C, Args[I], Own, Outer);
         });
}

Storages StorageResolver::ofThis(const CallFrame &In) {
  const CallFrame *Of = frameOfThis(In);
  if (!Of)
    return unknownStorage();
  if (Of->Caller && Of->Object)
    return Of->Object->getType()->isPointerType()
               ? pointer(Of->Object, *Of->Caller)
               : lvalue(Of->Object, *Of->Caller);
  // A constructor's object has no other name yet.
  if (Of->Caller)
    return isa<CXXConstructorDecl>(Of->Function) ? Storages{}
                                                 : unknownStorage();
  if (!ownIsLocal(*Of))
    return unknownStorage();
  Storage P;
  P.Where = Storage::Kind::Local;
  return {P};
}

} // namespace kpipe
