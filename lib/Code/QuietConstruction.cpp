// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "QuietConstruction.h"
#include "KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isQuiet(const CXXConstructorDecl *C, unsigned Depth);

bool quietType(QualType T, unsigned Depth) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !R || (R->hasDefinition() && R->hasTrivialDestructor() && Depth < 8);
}

/// A constant, a parameter's value, or what is made of such.
bool isQuietValue(const Expr *E, unsigned Depth) {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return isQuietValue(D->getExpr(), Depth);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return isQuietValue(D->getExpr(), Depth);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return isQuietValue(S->getReplacement(), Depth);
  if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral,
          CXXNullPtrLiteralExpr, ImplicitValueInitExpr, CXXScalarValueInitExpr>(
          E))
    return quietType(E->getType(), Depth);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *P = dyn_cast<ParmVarDecl>(D->getDecl());
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return (P && !P->getType().isVolatileQualified()) ||
           isa<EnumConstantDecl>(D->getDecl()) || (V && V->isConstexpr());
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return isQuiet(C->getConstructor(), Depth + 1) &&
           llvm::all_of(C->arguments(),
                        [&](const Expr *A) { return isQuietValue(A, Depth); });
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return llvm::all_of(L->inits(),
                        [&](const Expr *I) { return isQuietValue(I, Depth); });
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    return F && !isa<CXXMemberCallExpr>(E) &&
           classifyCall(F) == CallKind::Pure &&
           llvm::all_of(C->arguments(),
                        [&](const Expr *A) { return isQuietValue(A, Depth); });
  }
  const auto *U = dyn_cast<UnaryOperator>(E);
  const auto *B = dyn_cast<BinaryOperator>(E);
  const bool Computes =
      (U && !U->isIncrementDecrementOp() && U->getOpcode() != UO_Deref) ||
      (B && (B->isAdditiveOp() || B->isMultiplicativeOp())) ||
      isa<MaterializeTemporaryExpr, ExprWithCleanups, CXXBindTemporaryExpr>(
          E) ||
      (isa<CastExpr>(E) &&
       cast<CastExpr>(E)->getCastKind() != CK_UserDefinedConversion);
  return Computes && llvm::all_of(E->children(), [&](const Stmt *S) {
           return isQuietValue(cast<Expr>(S), Depth);
         });
}

/// `re = r;` of a member of the object itself.
bool setsOwn(const Stmt *S, unsigned Depth) {
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (!B || B->getOpcode() != BO_Assign)
    return false;
  const auto *M = dyn_cast<MemberExpr>(B->getLHS()->IgnoreParens());
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  const auto *Chain =
      dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  return F && !F->getType()->isReferenceType() &&
         !F->getType().isVolatileQualified() &&
         isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) &&
         ((Chain && Chain->isAssignmentOp())
              ? setsOwn(Chain, Depth)
              : isQuietValue(B->getRHS(), Depth));
}

/// What a constructor does that nobody wrote: its parts are made.
bool partsAreQuiet(const CXXRecordDecl *R, unsigned Depth) {
  auto Quiet = [&](QualType T) {
    const auto *Part = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!Part ||
        (Part->hasDefinition() && Part->hasTrivialDefaultConstructor()))
      return true;
    return Part->hasDefinition() &&
           llvm::any_of(Part->ctors(),
                        [](const CXXConstructorDecl *C) {
                          return C->isDefaultConstructor();
                        }) &&
           llvm::all_of(Part->ctors(), [&](const CXXConstructorDecl *C) {
             return !C->isDefaultConstructor() || isQuiet(C, Depth + 1);
           });
  };
  return llvm::all_of(
             R->bases(),
             [&](const CXXBaseSpecifier &B) { return Quiet(B.getType()); }) &&
         llvm::all_of(R->fields(), [&](const FieldDecl *F) {
           return F->hasInClassInitializer()
                      ? F->getInClassInitializer() &&
                            isQuietValue(F->getInClassInitializer(), Depth)
                      : Quiet(F->getType());
         });
}

/// Device code may call it: by its author's word, as nvcc does not take what is
/// constexpr alone.
bool isOfDevice(const FunctionDecl *F) {
  const auto *A = F->getAttr<CUDADeviceAttr>();
  return F->isImplicit() || F->isDefaulted() || (A && !A->isImplicit());
}

bool isQuiet(const CXXConstructorDecl *C, unsigned Depth) {
  if (C->isTrivial())
    return true;
  if (!isOfDevice(C))
    return false;
  if (Depth <= 8 && C->isImplicit() && C->isDefaultConstructor() &&
      !C->isDeleted() && !C->getParent()->isPolymorphic() &&
      !C->getParent()->getNumVBases())
    return partsAreQuiet(C->getParent(), Depth);
  const FunctionDecl *Definition = nullptr;
  if (Depth > 8 || C->isDeleted() || C->getParent()->isPolymorphic() ||
      C->getParent()->getNumVBases() || !C->hasBody(Definition))
    return false;
  C = cast<CXXConstructorDecl>(Definition);
  const auto *Body = dyn_cast<CompoundStmt>(C->getBody());
  return Body &&
         llvm::all_of(
             C->inits(),
             [&](const CXXCtorInitializer *I) {
               return !(I->getAnyMember() &&
                        I->getAnyMember()->getType().isVolatileQualified()) &&
                      isQuietValue(I->getInit(), Depth);
             }) &&
         llvm::all_of(Body->body(),
                      [&](const Stmt *S) { return setsOwn(S, Depth); });
}

/// `T a = T()` of a template whose T is a number here, where nobody has asked
/// for that value yet.
bool isZeroOfPattern(const ParmVarDecl *P, const CXXConstructorDecl *Of) {
  const FunctionDecl *Pattern = Of->getTemplateInstantiationPattern();
  if (!Pattern || !P->getType()->isArithmeticType() ||
      Pattern->getNumParams() != Of->getNumParams())
    return false;
  const Expr *E = P->getUninstantiatedDefaultArg()->IgnoreParenImpCasts();
  const QualType T =
      Pattern->getParamDecl(P->getFunctionScopeIndex())->getType();
  if (isa<IntegerLiteral, FloatingLiteral>(E))
    return true;
  if (const auto *U = dyn_cast<CXXUnresolvedConstructExpr>(E))
    return U->getTypeAsWritten().getCanonicalType().getUnqualifiedType() ==
               T.getCanonicalType().getUnqualifiedType() &&
           llvm::all_of(U->arguments(), [](const Expr *A) {
             return isa<IntegerLiteral, FloatingLiteral>(
                 A->IgnoreParenImpCasts());
           });
  return isa<CXXScalarValueInitExpr>(E) &&
         E->getType().getCanonicalType().getUnqualifiedType() ==
             T.getCanonicalType().getUnqualifiedType();
}

} // namespace

bool isMadeQuietly(const CXXRecordDecl *R) {
  if (!R->hasDefinition() || !R->hasTrivialDestructor())
    return false;
  if (R->hasTrivialDefaultConstructor())
    return true;
  if (R->isUnion() || R->isPolymorphic())
    return false;
  const CXXConstructorDecl *Made = nullptr;
  for (const CXXConstructorDecl *C : R->ctors())
    if (C->isDefaultConstructor()) {
      if (Made)
        return false; // which of them is meant?
      Made = C;
    }
  // One that nobody has asked for is not there yet.
  if (!Made && R->needsImplicitDefaultConstructor())
    return !R->getNumVBases() && partsAreQuiet(R, 0);
  if (!Made || Made->isDeleted() || Made->getAccess() != AS_public ||
      Made->getTrailingRequiresClause())
    return false;
  // A default argument is read where the object is made.
  for (const ParmVarDecl *P : Made->parameters())
    if (!P->hasDefaultArg() || P->hasUnparsedDefaultArg() ||
        !(P->hasUninstantiatedDefaultArg()
              ? isZeroOfPattern(P, Made)
              : isQuietValue(P->getDefaultArg(), 0)))
      return false;
  return isQuiet(Made, 0);
}

bool hasOtherAssignments(const CXXRecordDecl *R) {
  return llvm::any_of(R->decls(), [](const Decl *D) {
    const auto *Named = dyn_cast<NamedDecl>(D);
    if (!Named || Named->getDeclName().getCXXOverloadedOperator() != OO_Equal)
      return false;
    const auto *M = dyn_cast<CXXMethodDecl>(D);
    if (!M || !M->getNumParams())
      return true; // a template, or a base's
    const auto *By =
        M->getParamDecl(0)->getType()->getAs<LValueReferenceType>();
    return By && !By->getPointeeType().isConstQualified();
  });
}

} // namespace kpipe
