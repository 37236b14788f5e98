// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors that fill their object, destructors without a body to speak of,
// down to members and bases, see QuietLives.h.

#include "QuietLives.h"
#include "SideEffects.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool diesQuietly(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !R || diesQuietly(R);
}

bool diesQuietly(const CXXRecordDecl *R) {
  if (!R->hasDefinition() || R->hasTrivialDestructor())
    return true;
  const CXXDestructorDecl *D = R->getDestructor();
  const FunctionDecl *Definition = nullptr;
  if (!D || D->isVirtual())
    return false;
  if (!D->isDefaulted()) {
    if (!D->hasBody(Definition))
      return false;
    const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
    if (!Body || !Body->body_empty())
      return false;
  }
  return llvm::all_of(
             R->fields(),
             [](const FieldDecl *F) { return diesQuietly(F->getType()); }) &&
         llvm::all_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return diesQuietly(B.getType());
         });
}

/// A member of the object itself, or an element of one.
static bool isOwnPart(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const auto *C = dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
    if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
      return false;
    E = C->getSubExpr()->IgnoreParens();
  }
  const auto *M = dyn_cast<MemberExpr>(E);
  if (!M || !isa<FieldDecl>(M->getMemberDecl()) ||
      M->getMemberDecl()->getType()->isReferenceType())
    return false;
  return isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) ||
         (!M->isArrow() && isOwnPart(M->getBase()));
}

static bool isBornBy(const CXXConstructorDecl *C, unsigned Depth);

static bool onlyFillsItself(const Stmt *S, unsigned Depth) {
  if (!S)
    return true;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
    if (!isOwnPart(B->getLHS()) || B->getLHS()->getType().isVolatileQualified())
      return false;
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    if (!isBornBy(C->getConstructor(), Depth + 1))
      return false;
  } else if (isa<LambdaExpr, DeclStmt>(S) || hasOwnEffect(S)) {
    return false;
  }
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
    return onlyFillsItself(D->getExpr(), Depth);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
    return onlyFillsItself(D->getExpr(), Depth);
  return llvm::all_of(S->children(), [&](const Stmt *Kid) {
    return onlyFillsItself(Kid, Depth);
  });
}

/// The bases and the members of what has no constructor by anybody's hand.
static bool areBornQuietly(const CXXRecordDecl *R, unsigned Depth) {
  return llvm::all_of(R->bases(),
                      [](const CXXBaseSpecifier &B) {
                        return isBornQuietly(B.getType());
                      }) &&
         llvm::all_of(R->fields(), [&](const FieldDecl *F) {
           return F->hasInClassInitializer()
                      ? F->getInClassInitializer() &&
                            onlyFillsItself(F->getInClassInitializer(), Depth)
                      : isBornQuietly(F->getType());
         });
}

static bool isBornBy(const CXXConstructorDecl *C, unsigned Depth) {
  if (C->isTrivial())
    return true;
  const FunctionDecl *Body = nullptr;
  if (Depth > 8 || C->getParent()->getNumVBases())
    return false;
  if (C->isImplicit() && !C->hasBody(Body))
    return areBornQuietly(C->getParent(), Depth);
  if (!C->hasBody(Body))
    return false;
  return llvm::all_of(cast<CXXConstructorDecl>(Body)->inits(),
                      [&](const CXXCtorInitializer *I) {
                        return onlyFillsItself(I->getInit(), Depth);
                      }) &&
         onlyFillsItself(Body->getBody(), Depth);
}

bool isBornQuietly(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition() || R->hasTrivialDefaultConstructor())
    return true;
  if (R->needsImplicitDefaultConstructor())
    return areBornQuietly(R, 0);
  return llvm::all_of(R->ctors(), [](const CXXConstructorDecl *C) {
    return !C->isDefaultConstructor() || isBornBy(C, 0);
  });
}

} // namespace kpipe
