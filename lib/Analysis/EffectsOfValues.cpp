// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of expressions: what is read, what is written, and where it lies.
#include "EffectCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isWholeVariable(const Expr *E, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D && D->getDecl() == V && !V->getType()->isReferenceType() &&
         !V->getType()->isArrayType();
}

void EffectCollector::record(const Roots &R, const Expr *At, Mode M, bool Whole,
                             bool ReadOnly, bool Atomic, bool Volatile) {
  bool Single = R.size() == 1;
  for (const MemoryRoot &Root : R) {
    if (Root.Where == Space::Local) {
      if (!Root.Var)
        continue;
      if (M != Write)
        readVar(Root.Var);
      if (M != Read)
        writeVar(Root.Var, Whole && Single);
      continue;
    }
    for (bool IsWrite : {false, true}) {
      if ((IsWrite && M == Read) || (!IsWrite && M == Write))
        continue;
      MemoryAccess A;
      A.Root = Root;
      A.Write = IsWrite;
      A.Atomic = Atomic;
      A.Volatile = Volatile;
      A.ReadOnly = ReadOnly;
      A.At = OuterCall ? OuterCall : At;
      Out.Memory.push_back(A);
    }
  }
}

void EffectCollector::access(const Expr *E, Mode M, bool ReadOnly,
                             bool Atomic) {
  address(E);
  evaluated(E, M, ReadOnly, Atomic);
}

void EffectCollector::evaluated(const Expr *E, Mode M, bool ReadOnly,
                                bool Atomic) {
  Roots R = In->ofLValue(E);
  bool Whole = R.size() == 1 && R[0].Var && isWholeVariable(E, R[0].Var);
  record(R, E, M, Whole, ReadOnly, Atomic, E->getType().isVolatileQualified());
}

void EffectCollector::throughPointer(const Expr *Pointer, Mode M, bool ReadOnly,
                                     bool Atomic) {
  value(Pointer);
  QualType Pointee = Pointer->getType()->getPointeeType();
  record(In->ofPointer(Pointer), Pointer, M, false, ReadOnly, Atomic,
         !Pointee.isNull() && Pointee.isVolatileQualified());
}

/// An lvalue's place: indices and pointers are evaluated, the object is not.
void EffectCollector::address(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    value(A->getBase());
    value(A->getIdx());
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    M->isArrow() ? value(M->getBase()) : address(M->getBase());
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      value(U->getSubExpr());
    else
      value(U);
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    address(C->getSubExpr());
  } else if (isa<DeclRefExpr>(E) || isa<StringLiteral>(E) ||
             isa<CXXThisExpr>(E)) {
    // no evaluation
  } else {
    value(E);
  }
}

void EffectCollector::value(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
      return access(C->getSubExpr(), Read);
    case CK_ArrayToPointerDecay:
      return address(C->getSubExpr());
    case CK_FunctionToPointerDecay:
    case CK_BuiltinFnToFnPtr:
      return;
    default:
      return C->getSubExpr()->isGLValue() && !C->isGLValue()
                 ? access(C->getSubExpr(), Read)
                 : value(C->getSubExpr());
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      value(B->getRHS());
      return access(B->getLHS(),
                    B->isCompoundAssignmentOp() ? ReadWrite : Write);
    }
    value(B->getLHS());
    if (B->isLogicalOp())
      return maybe([&] { value(B->getRHS()); });
    return value(B->getRHS());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->isIncrementDecrementOp())
      return access(U->getSubExpr(), ReadWrite);
    if (U->getOpcode() == UO_AddrOf)
      return address(U->getSubExpr());
    return U->getOpcode() == UO_Deref ? address(U) : value(U->getSubExpr());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    value(C->getCond());
    return branch([&] { value(C->getTrueExpr()); },
                  [&] { value(C->getFalseExpr()); });
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return construct(C);
  if (const auto *A = dyn_cast<AtomicExpr>(E)) {
    for (const Expr *Sub :
         llvm::ArrayRef(A->getSubExprs(), A->getNumSubExprs()))
      Sub->getType()->isPointerType()
          ? throughPointer(Sub, ReadWrite, false, true)
          : value(Sub);
    return;
  }
  if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(E)) {
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        value(Sub);
    return event(EventKind::UnknownCall, E,
                 isa<CXXNewExpr>(E) ? "new" : "delete");
  }
  if (isa<PseudoObjectExpr>(E)) {
    // threadIdx.x and its kin are property reads of special registers.
    return;
  }
  if (isa<UnaryExprOrTypeTraitExpr>(E) || isa<LambdaExpr>(E) ||
      isa<DeclRefExpr>(E) || isa<CXXThisExpr>(E))
    return;
  if (isa<RecoveryExpr>(E))
    return event(EventKind::Invalid, E);
  if (isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E))
    return address(E);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return value(S->getReplacement());
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return value(D->getExpr());
  if (const auto *S = dyn_cast<StmtExpr>(E))
    return stmt(S->getSubStmt());
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
      Sub->isGLValue() && isa<InitListExpr>(E) ? access(Sub, Read) : value(Sub);
}

} // namespace kpipe
