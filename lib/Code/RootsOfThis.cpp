// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `this` is, see Scope.h: the object that a member function on the way is
// called on, one that a constructor makes, or the object of the outermost
// function. Of the last one each member is a variable of the function's own if
// all calls of the function have objects that no other thread sees.
#include "Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const Scope *Scope::ofObjectOfThis() const {
  const Scope *S = this;
  for (;;) {
    const auto *M = dyn_cast<CXXMethodDecl>(S->Function);
    if (!M)
      return nullptr;
    if (M->getParent()->isLambda()) {
      // The closure's `this` is that of the function which it stands in, if it
      // is captured as a pointer.
      if (llvm::none_of(M->getParent()->captures(), [](const LambdaCapture &C) {
            return C.capturesThis() && C.getCaptureKind() == LCK_This;
          }))
        return nullptr;
      const DeclContext *Around = M->getParent()->getDeclContext();
      do
        S = S->Caller;
      while (S && S->Function != Around);
      if (!S)
        return nullptr;
      continue;
    }
    if (!S->Object || !isa<CXXThisExpr>(S->Object->IgnoreParenImpCasts()))
      return S;
    S = S->Caller;
  }
}

Roots Scope::ofThis() const {
  const Scope *Of = ofObjectOfThis();
  if (!Of)
    return unknownRoots();
  if (!Of->Caller)
    return Of->ofOwnObject();
  if (isa<CXXConstructorDecl>(Of->Function) && !Of->Object)
    return temporaryRoots(); // under construction: it has no other name yet
  if (!Of->Object)
    return unknownRoots();
  return Of->Object->getType()->isPointerType()
             ? Of->Caller->ofPointer(Of->Object)
             : Of->Caller->ofLValue(Of->Object);
}

const FieldDecl *Scope::fieldOfThis(const MemberExpr *M) {
  const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
  const Expr *Base = M->getBase()->IgnoreParenImpCasts();
  if (!M->isArrow())
    if (const auto *U = dyn_cast<UnaryOperator>(Base);
        U && U->getOpcode() == UO_Deref)
      Base = U->getSubExpr()->IgnoreParenImpCasts();
  return F && isa<CXXThisExpr>(Base) ? F : nullptr;
}

/// Is E a part of `*this`, or its reference member Of? The member that it is or
/// belongs to, if there is one.
static bool isPartOfThis(const Expr *E, const FieldDecl *&Field,
                         const FieldDecl *Of) {
  for (const Expr *Whole = E;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->getMemberDecl()->getType()->isReferenceType() &&
          !(Of && M == Whole))
        return false;
      Field = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (M->isArrow())
        return isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts());
      E = M->getBase();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      if (!A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        return false;
      E = A->getBase();
    } else {
      const auto *U = dyn_cast<UnaryOperator>(E);
      return U && U->getOpcode() == UO_Deref &&
             isa<CXXThisExpr>(U->getSubExpr()->IgnoreParenImpCasts());
    }
  }
}

std::optional<Roots> Scope::ofUnnamed(const Expr *From, Part What) const {
  const FieldDecl *Field = nullptr;
  const Scope *Of =
      isPartOfThis(From, Field, What) ? ofObjectOfThis() : nullptr;
  if (!Of)
    return std::nullopt;
  if (!Of->Caller)
    return !What && Of->ownObjectIsLocal() ? Of->ofOwnPointers(Field)
                                           : unknownRoots();
  const Expr *Value = nullptr;
  if (Of->Object) {
    if (Of->Object->getType()->isPointerType())
      return std::nullopt;
    Value = Of->Object->IgnoreParens();
    while (const auto *C = dyn_cast<ImplicitCastExpr>(Value))
      Value = C->getSubExpr()->IgnoreParens();
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(Value))
      Value = M->getSubExpr();
    // A part of the object that the caller's own function is called on.
    if (const FieldDecl *Around = nullptr;
        !What && Value->isGLValue() && isPartOfThis(Value, Around, nullptr)) {
      auto R = Of->Caller->ofUnnamed(Value, What);
      if (R)
        addRoots(*R, Of->ofGiven(Of->heldBy(nullptr), What));
      return R;
    }
    if (Value->isGLValue())
      return std::nullopt;
  } else if (!isa<CXXConstructorDecl>(Of->Function)) {
    return std::nullopt;
  }
  const std::pair<const VarDecl *, Part> This(nullptr, What);
  if (What ? llvm::is_contained(Of->ResolvingPart, This) : Of->ResolvingThis)
    return Roots();
  What ? Of->ResolvingPart.push_back(This) : void(Of->ResolvingThis = true);
  Roots R = Value ? Of->Caller->ofObject(Value, What) : Roots();
  addRoots(R, Of->ofGiven(Of->heldBy(nullptr), What));
  What ? Of->ResolvingPart.pop_back() : void(Of->ResolvingThis = false);
  return R;
}

bool Scope::ownObjectIsLocal() const {
  const auto *M = dyn_cast<CXXMethodDecl>(Function);
  // Of a union each member is all of the others.
  if (!M || M->isStatic() || M->getParent()->isUnion())
    return false;
  if (!OwnIsLocal)
    OwnIsLocal = eachCall([](const Scope &In, const HeldPointers::Call &C) {
      if (!C.Object)
        return false;
      Roots R = C.Object->getType()->isPointerType() ? In.ofPointer(C.Object)
                                                     : In.ofLValue(C.Object);
      return llvm::all_of(R, [&](const MemoryRoot &Root) {
        return Root.Where == Space::Local &&
               (!Root.Var || !isHandedTwice(In, C, C.Object, Root.Var));
      });
    });
  return *OwnIsLocal;
}

Roots Scope::ofOwnMember(const FieldDecl *F) const {
  return ownObjectIsLocal()
             ? Roots{rootAt(Space::Local, Calls->memberOf(Function, F))}
             : unknownRoots();
}

static void addMembers(Roots &R, const CXXRecordDecl *Class,
                       const FunctionDecl *F, const CallIndex &Index) {
  for (const CXXBaseSpecifier &B : Class->bases())
    if (const auto *Base = B.getType()->getAsCXXRecordDecl())
      addMembers(R, Base, F, Index);
  for (const FieldDecl *Field : Class->fields())
    addRoots(R, {rootAt(Space::Local, Index.memberOf(F, Field))});
}

Roots Scope::ofOwnObject() const {
  if (!ownObjectIsLocal())
    return unknownRoots();
  Roots R;
  addMembers(R, cast<CXXMethodDecl>(Function)->getParent(), Function, *Calls);
  return R.empty() ? temporaryRoots() : R;
}

Roots Scope::ofOwnPointers(const FieldDecl *F) const {
  if (!F) // of a copy of the whole
    return unknownRoots();
  if (ResolvingThis)
    return {};
  ResolvingThis = true;
  Roots R = ofGiven(heldBy(nullptr), nullptr);
  ResolvingThis = false;
  bool All = eachCall([&](const Scope &In, const HeldPointers::Call &C) {
    const Expr *On = C.Object;
    if (!On)
      return false;
    if (On->getType()->isPointerType()) { // `this->f()`
      if (!isa<CXXThisExpr>(On->IgnoreParenImpCasts()))
        return false;
      addRoots(R, In.ofOwnPointers(F));
    } else {
      addRoots(R, In.ofObject(On));
    }
    return true;
  });
  // Only the memory space travels; the pointer is the member.
  MemoryRoot Root = rootAt(Space::Global, Calls->memberOf(Function, F));
  Root.Indirect = true;
  for (const MemoryRoot &One : R) {
    All &= One.Where == Space::Global;
    Root.Assumed |= One.Assumed;
  }
  return All ? Roots{Root} : unknownRoots();
}

} // namespace kpipe
