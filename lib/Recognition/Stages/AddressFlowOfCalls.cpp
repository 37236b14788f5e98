// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions, constructors and closures do with addresses that they are
// given, see AddressFlow.h.
#include "AddressFlow.h"
#include "Code/AstUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool AddressFlow::VisitCallExpr(const CallExpr *C) {
  finish(resultOf(C), givenTo(C), calledOn(C));
  return true;
}

/// Of a chain of calls each is asked for by two ways.
AddressFlow::Done AddressFlow::resultOf(const CallExpr *C) {
  if (auto It = Results.find(C); It != Results.end())
    return It->second;
  Done D = call(C->getDirectCallee(), givenTo(C), calledOn(C));
  Results[C] = D;
  return D;
}

bool AddressFlow::VisitCXXConstructExpr(const CXXConstructExpr *C) {
  llvm::SmallVector<const Expr *, 8> Args(C->arguments());
  finish(call(C->getConstructor(), Args, nullptr), Args, nullptr);
  return true;
}

/// What an argument brings along.
unsigned AddressFlow::given(const Expr *E) {
  if (!E->isGLValue())
    return value(E);
  const unsigned Holds = content(E);
  return (isPlace(E) ? Address : Nothing) | (Holds ? Holds | Way : Nothing);
}

AddressFlow::Done AddressFlow::call(const FunctionDecl *F,
                                    llvm::ArrayRef<const Expr *> Args,
                                    const Expr *Object) {
  unsigned All = Nothing, Values = Nothing, On = Nothing; // Values: numbers
  for (const Expr *A : Args) {
    All |= given(A);
    Values |= !A->isGLValue() && A->getType()->isArithmeticType() ? value(A)
                                                                  : Nothing;
  }
  if (Object)
    All |= On = given(Object);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  const bool Closure = Method && Method->getParent()->isLambda();
  Done D;
  if (!All && !Closure)
    return D;
  const FunctionDecl *Body = nullptr;
  // Of a pointer that is given it is what is loaded there, as a float.
  D.Returned = !F || isa<CXXConstructorDecl>(F) || mayHold(F->getReturnType())
                   ? All
                   : Values;
  D.Keeps = true;
  if (!F)
    return D;
  switch (classifyCall(F)) {
  case CallKind::Ordinary:
    if (F->isTrivial() && Method &&
        (isa<CXXConstructorDecl>(F) || Method->isCopyAssignmentOperator() ||
         Method->isMoveAssignmentOperator())) {
      // An assignment keeps what its right side holds, and not where that is.
      D.Keeps = Object && llvm::any_of(Args, [&](const Expr *A) {
                  return either(A) != Nothing;
                });
      return D;
    }
    break;
  case CallKind::Pure:
  case CallKind::WarpSync:
    D.Keeps = false;
    break;
  case CallKind::Atomic:
  case CallKind::CachedStore:
    D.Keeps = llvm::any_of(Args.drop_front(!Args.empty()),
                           [&](const Expr *A) { return given(A) != Nothing; });
    D.Returned = Nothing;
    return D;
  case CallKind::Unknown:
    return D;
  default:
    return {};
  }
  if (!F->hasBody(Body) || !Body->getBody())
    return D;
  return enter(Body, Args, On, D.Returned);
}

AddressFlow::Done AddressFlow::enter(const FunctionDecl *F,
                                     llvm::ArrayRef<const Expr *> Args,
                                     unsigned Object, unsigned Unseen) {
  AddressFlow Inner(*this, F);
  Done D;
  // What is not looked into, and one that calls itself, may do anything.
  D.Returned = Unseen;
  D.Keeps = true;
  if (F->isVariadic() || Depth == MaxDepth)
    return D;
  Question Asked{F, {Object}};
  for (unsigned I = 0; I != Args.size() && I < F->getNumParams(); ++I) {
    const VarDecl *P = F->getParamDecl(I);
    const Expr *A = Args[I];
    if (P->getType()->isReferenceType() && A->isGLValue()) {
      if (isPlace(A))
        Inner.Places.insert(P);
      Inner.Held[P] |= content(A);
    } else {
      Inner.Held[P] |= either(A);
    }
    Asked.second.push_back(Inner.Held[P] |
                           (Inner.Places.count(P) ? Any + 1 : 0));
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  const bool Closure = Method && Method->getParent()->isLambda();
  if (!Closure) {
    if (auto [It, New] = Known->insert({Asked, D}); !New)
      return It->second;
  }
  Inner.This = Object;
  llvm::SmallVector<const Stmt *, 8> Code;
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *I : C->inits())
      if (I->getInit()) {
        Code.push_back(I->getInit());
        if (Inner.given(I->getInit()))
          Inner.This |= Way;
      }
  Code.push_back(F->getBody());
  Inner.run(Code);
  D.Keeps = Inner.Away || !Inner.Outer.empty();
  D.Outer = Inner.Outer;
  D.Returned = isa<CXXConstructorDecl>(F) ? Unseen : Inner.Returned;
  D.ReturnsPlace = Inner.ReturnsPlace;
  if (!Closure)
    (*Known)[Asked] = D;
  return D;
}

/// Notes where a call may have left what it was given.
void AddressFlow::finish(const Done &D, llvm::ArrayRef<const Expr *> Args,
                         const Expr *Object) {
  for (const VarDecl *V : D.Outer)
    hold(V, Any);
  if (!D.Keeps)
    return;
  for (const Expr *A : Args)
    keep(A);
  if (Object)
    keep(Object);
}

/// A call may have stored an address to what it gets by an argument.
void AddressFlow::keep(const Expr *A) {
  A = A->IgnoreParens();
  const Expr *Target = nullptr;
  const Expr *E = A->IgnoreParenCasts();
  if (A->isGLValue()) {
    if (A->getType().isConstQualified())
      return;
    Target = A;
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_AddrOf) {
    Target = U->getSubExpr();
  } else if (E->getType()->isArrayType()) {
    Target = E;
  }
  auto take = [&](const VarDecl *V) {
    if (V != Buffer && mayHold(V->getType()))
      hold(V, Any);
    if (V != Buffer)
      keepAround(V);
  };
  if (Target) {
    if (const VarDecl *V = storageOf(Target);
        V && V->hasLocalStorage() && !V->getType()->isReferenceType())
      return take(V);
    if (isPlace(Target) || !mayHold(Target->getType()))
      return;
    if (!In)
      return away(A);
    for (const MemoryRoot &R : In->ofLValue(Target))
      if (R.Where == Space::Local && R.Var)
        take(R.Var);
      else if (R.Var != Buffer)
        away(A);
    return;
  }
  const QualType T = A->getType();
  if (!T->isPointerType()) // a copy of an object may have names of others
    return;
  if (T->getPointeeType().isConstQualified() ||
      (!T->isVoidPointerType() && !mayHold(T->getPointeeType())))
    return;
  if (!In)
    return away(A);
  for (const MemoryRoot &R : In->ofPointer(A))
    if (R.Where == Space::Local && R.Var)
      take(R.Var);
    else if (R.Var != Buffer)
      away(A);
}

/// An object or a closure may have names of other variables: of those that its
/// initialiser names.
void AddressFlow::keepAround(const VarDecl *V) {
  const Expr *Init = V->getInit();
  if (!Init || !(V->getType()->isRecordType() || V->getType()->isPointerType()))
    return;
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<const VarDecl *, 4> All;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && V->hasLocalStorage())
        All.push_back(V);
      return true;
    }
  } Names;
  Names.TraverseStmt(Init);
  for (const VarDecl *Other : Names.All)
    if (Other != V && Other != Buffer && mayHold(Other->getType()))
      hold(Other, Any);
}

} // namespace kpipe
