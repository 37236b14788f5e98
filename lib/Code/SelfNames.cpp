// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second names by constructors and by results, see SelfNames.h.
#include "SelfNames.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Does an expression say `this`, as `own` in a class does?
static bool mentionsThis(const Stmt *S) {
  return S &&
         (isa<CXXThisExpr>(S) || llvm::any_of(S->children(), mentionsThis));
}

bool isMadeOfOthers(const FieldDecl *F) {
  return F->hasInClassInitializer() &&
         (!F->getInClassInitializer() ||
          mentionsThis(F->getInClassInitializer()));
}

/// A constructor that says nothing of its object but what the members begin
/// with names none of them.
static bool mayKeepObject(const CXXConstructorDecl *K) {
  if (K->isTrivial() || K->isDefaulted() || K->isDeleted())
    return false; // what it calls is looked at with the members
  const FunctionDecl *Body = nullptr;
  if (!K->hasBody(Body))
    return true;
  return mentionsThis(Body->getBody()) ||
         llvm::any_of(cast<CXXConstructorDecl>(Body)->inits(),
                      [](const CXXCtorInitializer *I) {
                        return mentionsThis(I->getInit());
                      });
}

bool mayKnowItself(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition())
    return true;
  for (const Decl *D : R->decls()) {
    const auto *K = dyn_cast<CXXConstructorDecl>(D);
    if (K && mayKeepObject(K))
      return true;
    // Which of its instances made an object is not told by the object.
    if (const auto *T = dyn_cast<FunctionTemplateDecl>(D);
        T && isa<CXXConstructorDecl>(T->getTemplatedDecl()) &&
        llvm::any_of(T->specializations(), [](const FunctionDecl *F) {
          return mayKeepObject(cast<CXXConstructorDecl>(F));
        }))
      return true;
  }
  return llvm::any_of(R->bases(),
                      [](const CXXBaseSpecifier &B) {
                        return mayKnowItself(B.getType());
                      }) ||
         llvm::any_of(R->fields(), [](const FieldDecl *F) {
           return isMadeOfOthers(F) || mayKnowItself(F->getType());
         });
}

bool mayKnowItself(QualType T) {
  const Type *Base = T.getNonReferenceType()->getBaseElementTypeUnsafe();
  return Base->isRecordType() && mayKnowItself(Base->getAsCXXRecordDecl());
}

/// Is what the expression yields a variable that it has set?
static bool yieldsVariable(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S))
    return B->isAssignmentOp();
  if (const auto *U = dyn_cast<UnaryOperator>(S))
    return U->isIncrementDecrementOp() && U->isPrefix();
  const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
  const auto *M =
      C ? dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee()) : nullptr;
  return M && M->isTrivial() && C->getOperator() == OO_Equal;
}

/// Is more done with Child, a part of Parent, than to read or drop it? \p Kept:
/// with Parent it is.
static bool keeps(const Stmt *Parent, const Stmt *Child, bool Kept) {
  if (!isa<Expr>(Parent))
    return isa<ReturnStmt, DeclStmt, AsmStmt>(Parent);
  if (const auto *C = dyn_cast<CastExpr>(Parent)) {
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_ToVoid)
      return false;
    return Kept || !C->isGLValue();
  }
  if (isa<ParenExpr, FullExpr>(Parent))
    return Kept;
  if (const auto *M = dyn_cast<MemberExpr>(Parent))
    return Kept || M->isArrow() || !isa<FieldDecl>(M->getMemberDecl());
  if (const auto *B = dyn_cast<BinaryOperator>(Parent)) {
    if (B->isCommaOp())
      return Kept && Child == B->getRHS();
    return true; // `(a = b) = c` sets a again
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(Parent))
    return Kept && Child != C->getCond();
  if (const auto *C = dyn_cast<CXXConstructExpr>(Parent))
    return !C->getConstructor()->isTrivial();
  if (yieldsVariable(Parent)) // of a class: `a = b` copies b
    return Child != cast<CXXOperatorCallExpr>(Parent)->getArg(1);
  return true;
}

static void collect(const Stmt *S, bool Kept, Results &Found) {
  if (!S)
    return;
  if (Kept && yieldsVariable(S))
    Found.insert(S);
  for (const Stmt *Child : S->children())
    if (Child)
      collect(Child, keeps(S, Child, Kept), Found);
}

Results keptResults(const Stmt *S) {
  Results Found;
  collect(S, false, Found);
  return Found;
}

} // namespace kpipe
