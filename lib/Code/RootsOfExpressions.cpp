// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forms of lvalues and pointers can designate, see Scope.h.
#include "LocalValues.h"
#include "Scope.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

Roots Scope::ofReturned(const FunctionDecl *F,
                        llvm::ArrayRef<const Expr *> Args, bool Reference,
                        const Expr *Object) const {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition) || contains(Definition))
    return unknownRoots();
  Scope Callee(*this, Definition, Args, Object);
  Roots R;
  for (const Expr *E : returnedValues(Definition))
    addRoots(R, Reference ? Callee.ofLValue(E) : Callee.ofPointer(E));
  if (R.empty())
    return unknownRoots();
  return R;
}

Roots Scope::ofCall(const CallExpr *C, bool Reference) const {
  HeldPointers::Call To = calleeOf(C);
  if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(To.Callee);
      M && M->isVirtual())
    return unknownRoots();
  return ofReturned(To.Callee, To.Arguments, Reference, To.Object);
}

Roots Scope::lvalueRoots(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      return B->getBinding() ? ofLValue(B->getBinding()) : unknownRoots();
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? ofVariable(V) : Roots{};
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (A->getBase()->getType()->isVectorType())
      return ofLValue(A->getBase());
    return ofPointer(A->getBase());
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(M->getMemberDecl()))
      return ofVariable(Static);
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
        F && F->getType()->isReferenceType())
      return ofLoaded(M, F); // the object that it refers to, not the member
    if (const FieldDecl *Own = fieldOfThis(M))
      if (const Scope *Of = ofObjectOfThis(); Of && !Of->Caller)
        return Of->ofOwnMember(Own);
    return M->isArrow() ? ofPointer(M->getBase()) : ofLValue(M->getBase());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return ofPointer(U->getSubExpr());
    return ofLValue(U->getSubExpr());
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return ofLValue(C->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    // A member pointer reaches a part of the object.
    if (B->getOpcode() == BO_PtrMemI)
      return ofPointer(B->getLHS());
    return ofLValue(B->getOpcode() == BO_Comma ? B->getRHS() : B->getLHS());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Roots R = ofLValue(C->getTrueExpr());
    addRoots(R, ofLValue(C->getFalseExpr()));
    return R;
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
    // `St &&s = St{0}`: it lives as long as the reference, whose name it has.
    const auto *As = dyn_cast_or_null<VarDecl>(M->getExtendingDecl());
    if (As && !M->getSubExpr()->isGLValue())
      return As->hasLocalStorage() && As->getType()->isReferenceType()
                 ? Roots{rootAt(Space::Local, As)}
                 : unknownRoots();
    return ofLValue(M->getSubExpr());
  }
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return ofLValue(W->getSubExpr());
  if (isa<StringLiteral>(E))
    return {rootAt(Space::Constant, nullptr)};
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E); O && O->getSourceExpr())
    return ofLValue(O->getSourceExpr());
  if (isa<CompoundLiteralExpr>(E)) // a pointer to it may be kept
    return unknownRoots();
  if (!E->isGLValue())
    return temporaryRoots();
  if (const auto *C = dyn_cast<CallExpr>(E))
    return ofCall(C, true);
  return unknownRoots();
}

/// The expression that E has its value from, if it is written elsewhere or in
/// braces.
static const Expr *standsFor(const Expr *E) {
  if (const auto *L = dyn_cast<InitListExpr>(E)) // `T *p{q}`
    return L->getNumInits() ? L->getInit(0) : nullptr;
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return D->getExpr();
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return D->getExpr();
  return nullptr;
}

Roots Scope::pointerRoots(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return ofLValue(C->getSubExpr());
    case CK_NullToPointer:
      return {};
    case CK_IntegralToPointer:
      return unknownRoots();
    case CK_LValueToRValue: {
      const Expr *Object = C->getSubExpr()->IgnoreParens();
      if (const auto *D = dyn_cast<DeclRefExpr>(Object))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          if (!V->getType()->isReferenceType())
            return ofPointerVar(V);
      return ofLoaded(Object);
    }
    default:
      return ofPointer(C->getSubExpr());
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      return ofLValue(U->getSubExpr());
    if (U->isIncrementDecrementOp())
      if (const VarDecl *V = pointerNamedBy(U->getSubExpr()))
        return ofPointerVar(V);
    return unknownRoots();
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      if (const VarDecl *V = pointerNamedBy(B->getLHS()))
        return ofPointerVar(V);
      return unknownRoots();
    }
    if (B->getOpcode() == BO_Comma)
      return ofPointer(B->getRHS());
    return ofPointer(B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                             : B->getRHS());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Roots R = ofPointer(C->getTrueExpr());
    addRoots(R, ofPointer(C->getFalseExpr()));
    return R;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return unknownRoots();
    if (V->getType()->isReferenceType()) {
      if (auto It = Arguments.find(V); It != Arguments.end())
        return Caller->ofPointer(It->second);
      return unknownRoots();
    }
    return V->getType()->isPointerType() ? ofPointerVar(V) : ofVariable(V);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return ofLValue(A); // an array glvalue that has not decayed
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getType()->isPointerType() ? ofLoaded(M) : ofLValue(M);
  if (isa<CXXThisExpr>(E))
    return ofThis();
  if (const Expr *Stands = standsFor(E))
    return ofPointer(Stands);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr, InitListExpr>(E))
    return {};
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return ofPointer(W->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return ofPointer(M->getSubExpr());
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return ofPointer(S->getReplacement());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return ofCall(C, false);
  return unknownRoots();
}

} // namespace kpipe
