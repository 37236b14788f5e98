// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of expressions: what is read, what is written, and where it lies.
#include "EffectCollector.h"
#include "KnownFunctions.h"
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
    C->isGLValue() ? address(C->getSubExpr()) : value(C);
  } else if (isa<DeclRefExpr>(E) || isa<StringLiteral>(E) ||
             isa<CXXThisExpr>(E)) {
    // no evaluation
  } else {
    value(E);
  }
}

void EffectCollector::operand(const Expr *E) {
  E->isGLValue() ? address(E) : value(E);
}

void EffectCollector::closure(const LambdaExpr *L) {
  // By copy, the variable is read or the initialiser evaluated here and now.
  for (const Expr *Init : L->capture_inits())
    if (Init)
      operand(Init);
}

void EffectCollector::property(const PseudoObjectExpr *P) {
  if (isSpecialRegister(P))
    return;
  for (const Expr *Part : P->semantics()) {
    const auto *O = dyn_cast<OpaqueValueExpr>(Part);
    operand(O ? O->getSourceExpr() : Part);
  }
}

void EffectCollector::conversion(const CastExpr *C) {
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

void EffectCollector::binary(const BinaryOperator *B) {
  if (B->isAssignmentOp()) {
    value(B->getRHS());
    return access(B->getLHS(),
                  B->isCompoundAssignmentOp() ? ReadWrite : Write);
  }
  operand(B->getLHS());
  if (B->isLogicalOp())
    return maybe([&] { value(B->getRHS()); });
  return operand(B->getRHS());
}

void EffectCollector::unary(const UnaryOperator *U) {
  if (U->isIncrementDecrementOp())
    return access(U->getSubExpr(), ReadWrite);
  if (U->getOpcode() == UO_AddrOf)
    return address(U->getSubExpr());
  return U->getOpcode() == UO_Deref ? address(U) : operand(U->getSubExpr());
}

void EffectCollector::conditional(const AbstractConditionalOperator *C) {
  if (const auto *B = dyn_cast<BinaryConditionalOperator>(C))
    operand(B->getCommon()); // a ?: b
  value(C->getCond());
  branch([&] { operand(C->getTrueExpr()); },
         [&] { operand(C->getFalseExpr()); });
}

/// Is nothing evaluated for E, or what was evaluated where it was bound?
static bool isNameOrConstant(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::DeclRefExprClass:
  case Stmt::CXXThisExprClass:
  case Stmt::OpaqueValueExprClass:
  case Stmt::ArrayInitIndexExprClass:
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::StringLiteralClass:
  case Stmt::ImaginaryLiteralClass:
  case Stmt::FixedPointLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::NoInitExprClass:
  case Stmt::PredefinedExprClass:
  case Stmt::SourceLocExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::ArrayTypeTraitExprClass:
  case Stmt::ExpressionTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::RequiresExprClass:
  case Stmt::ConceptSpecializationExprClass:
    return true;
  default:
    return false;
  }
}

bool EffectCollector::standIn(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::SubstNonTypeTemplateParmExprClass:
    value(cast<SubstNonTypeTemplateParmExpr>(E)->getReplacement());
    return true;
  case Stmt::CXXDefaultArgExprClass:
    operand(cast<CXXDefaultArgExpr>(E)->getExpr());
    return true;
  case Stmt::CXXDefaultInitExprClass:
    operand(cast<CXXDefaultInitExpr>(E)->getExpr());
    return true;
  case Stmt::CXXRewrittenBinaryOperatorClass:
    value(cast<CXXRewrittenBinaryOperator>(E)->getSemanticForm());
    return true;
  case Stmt::GenericSelectionExprClass:
    operand(cast<GenericSelectionExpr>(E)->getResultExpr());
    return true;
  case Stmt::ChooseExprClass:
    operand(cast<ChooseExpr>(E)->getChosenSubExpr());
    return true;
  case Stmt::PackIndexingExprClass:
    operand(cast<PackIndexingExpr>(E)->getSelectedExpr());
    return true;
  default:
    return false;
  }
}

void EffectCollector::value(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return conversion(C);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  if (isNameOrConstant(E) || standIn(E))
    return;
  switch (E->getStmtClass()) {
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(cast<BinaryOperator>(E));
  case Stmt::UnaryOperatorClass:
    return unary(cast<UnaryOperator>(E));
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return conditional(cast<AbstractConditionalOperator>(E));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(cast<CXXConstructExpr>(E));
  case Stmt::AtomicExprClass:
    return atomic(cast<AtomicExpr>(E));
  case Stmt::PseudoObjectExprClass:
    return property(cast<PseudoObjectExpr>(E));
  case Stmt::LambdaExprClass:
    return closure(cast<LambdaExpr>(E));
  case Stmt::ArraySubscriptExprClass:
  case Stmt::MemberExprClass:
    return address(E);
  case Stmt::StmtExprClass:
    return stmt(cast<StmtExpr>(E)->getSubStmt());
  case Stmt::ArrayInitLoopExprClass: { // an array is copied with its object
    const auto *A = cast<ArrayInitLoopExpr>(E);
    operand(A->getCommonExpr()->getSourceExpr());
    return operand(A->getSubExpr());
  }
  case Stmt::CXXBindTemporaryExprClass:
    operand(cast<CXXBindTemporaryExpr>(E)->getSubExpr());
    return unknownCall(E, msg::destructor);
  case Stmt::InitListExprClass:
    if (const Expr *Filler = cast<InitListExpr>(E)->getArrayFiller())
      operand(Filler);
    break;
  case Stmt::CXXParenListInitExprClass:
    if (const Expr *Filler = cast<CXXParenListInitExpr>(E)->getArrayFiller())
      operand(Filler);
    break;
  // Only their parts do something.
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
  case Stmt::MaterializeTemporaryExprClass:
  case Stmt::CXXStdInitializerListExprClass:
  case Stmt::CompoundLiteralExprClass:
  case Stmt::ExtVectorElementExprClass:
  case Stmt::ShuffleVectorExprClass:
  case Stmt::ConvertVectorExprClass:
  case Stmt::OffsetOfExprClass:
    break;
  case Stmt::UnaryExprOrTypeTraitExprClass:
    // The size of an array of a length that only the run knows is computed.
    if (const auto *T = cast<UnaryExprOrTypeTraitExpr>(E);
        T->getTypeOfArgument()->isVariablyModifiedType())
      return unknownCall(E, msg::variable_length_array);
    return;
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
    parts(E);
    return unknownCall(
        E, {msg::quoted_name, isa<CXXNewExpr>(E) ? "new" : "delete"});
  case Stmt::RecoveryExprClass:
    return event(EventKind::Invalid, E);
  default:
    // What is not known here may do anything.
    parts(E);
    return unknownCall(E,
                       {msg::unsupported_expression, E->getStmtClassName()});
  }
  parts(E);
}

void EffectCollector::parts(const Expr *E) {
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
      Sub->isGLValue() && isa<InitListExpr, CXXParenListInitExpr>(E)
          ? access(Sub, Read)
          : operand(Sub);
}

/// The compiler's own atomics on memory of any kind.
void EffectCollector::atomic(const AtomicExpr *A) {
  for (const Expr *Sub :
       llvm::ArrayRef(A->getSubExprs(), A->getNumSubExprs()))
    Sub->getType()->isPointerType()
        ? throughPointer(Sub, ReadWrite, false, true)
        : value(Sub);
  // Only a relaxed one says nothing of other memory.
  if (A->getOp() == AtomicExpr::AO__c11_atomic_init)
    return;
  std::optional<llvm::APSInt> Order =
      A->getOrder()->getIntegerConstantExpr(In->context());
  if (!Order || *Order != 0)
    event(EventKind::Fence, A, A->getOpAsString());
}

} // namespace kpipe
