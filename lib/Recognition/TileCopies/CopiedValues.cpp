// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copied values and zeros, see CopiedValues.h.
#include "CopiedValues.h"
#include "Code/Effects.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const Expr *unwrapped(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<ExprWithCleanups>(E))
      E = W->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    if (E == Before)
      return E;
  }
}

std::pair<const Expr *, const Expr *> assignmentOf(const Expr *E) {
  E = unwrapped(E);
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Assign)
    return {B->getLHS(), B->getRHS()};
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Equal && C->getNumArgs() == 2)
    if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
        M && (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator()) &&
        (M->isTrivial() || M->isDefaulted() || copiesBits(M->getParent())))
      return {C->getArg(0), C->getArg(1)};
  return {nullptr, nullptr};
}

/// Not where an object becomes a reference: as it is written, the expression
/// names the object.
static const Expr *namesItself(const Expr *E) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  return C && C->getCastKind() == CK_UserDefinedConversion ? nullptr : E;
}

const Expr *readLValue(const Expr *E, bool &ReadOnly) {
  E = unwrapped(E);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_LValueToRValue)
      return namesItself(unwrapped(C->getSubExpr()));
    if (C->getCastKind() == CK_NoOp ||
        C->getCastKind() == CK_ConstructorConversion)
      return C->isGLValue() ? unwrapped(C)
                            : readLValue(C->getSubExpr(), ReadOnly);
    return nullptr;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E);
      C && C->getNumArgs() == 1 &&
      C->getConstructor()->isCopyOrMoveConstructor() &&
      (C->getConstructor()->isTrivial() ||
       copiesBits(C->getConstructor()->getParent())))
    return C->getArg(0)->isGLValue() ? unwrapped(C->getArg(0))
                                     : readLValue(C->getArg(0), ReadOnly);
  if (const auto *C = dyn_cast<CallExpr>(E))
    if (const FunctionDecl *F = C->getDirectCallee();
        F && C->getNumArgs() >= 1 &&
        (classifyCall(F) == CallKind::ReadOnlyLoad ||
         classifyCall(F) == CallKind::CachedLoad)) {
      ReadOnly = true;
      const Expr *P = C->getArg(0)->IgnoreParenImpCasts();
      if (const auto *U = dyn_cast<UnaryOperator>(P);
          U && U->getOpcode() == UO_AddrOf)
        return unwrapped(U->getSubExpr());
      return P; // a pointer, not an lvalue: the caller looks at its type
    }
  return E->isGLValue() ? E : nullptr;
}

/// Is a constant all zero bits, padding aside? -0.0 is not, nor is a null
/// pointer to a member.
static bool isZeroBits(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt() == 0;
  case APValue::Float:
    return V.getFloat().isPosZero();
  case APValue::ComplexInt:
    return V.getComplexIntReal() == 0 && V.getComplexIntImag() == 0;
  case APValue::ComplexFloat:
    return V.getComplexFloatReal().isPosZero() &&
           V.getComplexFloatImag().isPosZero();
  case APValue::LValue:
    return V.isNullPointer();
  case APValue::Vector:
    for (unsigned I = 0; I != V.getVectorLength(); ++I)
      if (!isZeroBits(V.getVectorElt(I)))
        return false;
    return true;
  case APValue::Array:
    for (unsigned I = 0; I != V.getArrayInitializedElts(); ++I)
      if (!isZeroBits(V.getArrayInitializedElt(I)))
        return false;
    return !V.hasArrayFiller() || isZeroBits(V.getArrayFiller());
  case APValue::Struct:
    for (unsigned I = 0; I != V.getStructNumBases(); ++I)
      if (!isZeroBits(V.getStructBase(I)))
        return false;
    for (unsigned I = 0; I != V.getStructNumFields(); ++I)
      if (!isZeroBits(V.getStructField(I)))
        return false;
    return true;
  default: // a union may have bits that its active member does not cover
    return false;
  }
}

/// Has T a member whose null is not zero bits?
static bool hasOddNull(QualType T, const ASTContext &Context) {
  T = Context.getBaseElementType(T);
  if (T->isMemberPointerType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition())
    return false;
  return llvm::any_of(R->bases(),
                      [&](const CXXBaseSpecifier &B) {
                        return hasOddNull(B.getType(), Context);
                      }) ||
         llvm::any_of(R->fields(), [&](const FieldDecl *F) {
           return hasOddNull(F->getType(), Context);
         });
}

bool isZero(const Expr *E, const ASTContext &Context) {
  E = unwrapped(E);
  if (E->isValueDependent() || hasOddNull(E->getType(), Context))
    return false;
  Expr::EvalResult R;
  if (E->EvaluateAsRValue(R, Context) && !R.HasSideEffects)
    return isZeroBits(R.Val);
  while (const auto *C = dyn_cast<CastExpr>(E))
    E = unwrapped(C->getSubExpr());
  if (const auto *F = dyn_cast<FloatingLiteral>(E))
    return F->getValue().isPosZero();
  if (isa<ImplicitValueInitExpr>(E) || isa<CXXScalarValueInitExpr>(E))
    return true;
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return llvm::all_of(L->inits(),
                        [&](const Expr *I) { return isZero(I, Context); }) &&
           (!L->getArrayFiller() || isZero(L->getArrayFiller(), Context));
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return isZero(D->getExpr(), Context);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return isZero(D->getExpr(), Context);
  auto AllZero = [&](llvm::ArrayRef<const Expr *> Args) {
    return llvm::all_of(Args,
                        [&](const Expr *A) { return isZero(A, Context); });
  };
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *K = C->getConstructor();
    llvm::ArrayRef<const Expr *> Args(C->getArgs(), C->getNumArgs());
    if (Args.empty())
      return C->requiresZeroInitialization() && K->isTrivial();
    return (isToolkits(K) || (K->isTrivial() && Args.size() == 1)) &&
           AllZero(Args);
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier() || C->getNumArgs() == 0 || !isToolkits(F))
      return false;
    llvm::StringRef Name = F->getName();
    return (Name.starts_with("make_") || Name == "__float2half" ||
            Name == "__float2half_rn" || Name == "__float2half2_rn" ||
            Name == "__float2bfloat16" || Name == "__float2bfloat162_rn") &&
           AllZero({C->getArgs(), C->getNumArgs()});
  }
  return false;
}

} // namespace kpipe
