// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two names for one part of an object, see Overlays.h.

#include "Overlays.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// `T &m = other;` in a class makes a second name of a member.
static bool asksForObject(const Stmt *S) {
  if (!S || isa<CXXThisExpr>(S))
    return S;
  for (const Stmt *Child : S->children())
    if (asksForObject(Child))
      return true;
  return false;
}

static const MemberExpr *ownMember(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  const auto *M = E ? dyn_cast<MemberExpr>(E->IgnoreParenImpCasts()) : nullptr;
  return M && isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) ? M
                                                                    : nullptr;
}

/// Does a constructor's statement name its object or a part of it otherwise
/// than to read or to set a member?
static bool handsOn(const Stmt *S) {
  if (!S || isa<CXXThisExpr>(S))
    return S;
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->getOpcode() == UO_AddrOf && asksForObject(U))
    return true;
  const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
  if (Call && asksForObject(Call->getImplicitObjectArgument()))
    return true;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(S);
      A && ownMember(A->getBase()))
    return handsOn(A->getIdx());
  if (const MemberExpr *M = ownMember(S))
    return M->getType()->isArrayType();
  for (const Stmt *Child : S->children())
    if (handsOn(Child))
      return true;
  return false;
}

/// Does an object keep the address of a part of its own, or may it?
static bool keepsOwnAddress(const CXXRecordDecl *R) {
  for (const CXXConstructorDecl *K : R->ctors()) {
    const FunctionDecl *Body = nullptr;
    if (K->isTrivial() || K->isImplicit() || !K->hasBody(Body))
      continue;
    K = cast<CXXConstructorDecl>(Body);
    if (handsOn(K->getBody()))
      return true;
    for (const CXXCtorInitializer *I : K->inits()) {
      const FieldDecl *F = I->getAnyMember();
      if (handsOn(I->getInit()) ||
          (F && F->getType()->isReferenceType() && asksForObject(I->getInit())))
        return true;
    }
  }
  return false;
}

bool mayOverlay(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition() || R->isUnion() || keepsOwnAddress(R))
    return true;
  return llvm::any_of(R->bases(),
                      [](const CXXBaseSpecifier &B) {
                        return mayOverlay(B.getType()->getAsCXXRecordDecl());
                      }) ||
         llvm::any_of(R->fields(), [](const FieldDecl *F) {
           const Type *T = F->getType()->getBaseElementTypeUnsafe();
           if (F->hasInClassInitializer() &&
               (!F->getInClassInitializer() ||
                asksForObject(F->getInClassInitializer())))
             return true;
           return T->isRecordType() && mayOverlay(T->getAsCXXRecordDecl());
         });
}

} // namespace kpipe
