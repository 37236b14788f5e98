// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two names for one part of an object, see Overlays.h.

#include "Overlays.h"
#include "StorageRoots.h"
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

namespace {

/// Does what a constructor does name its object or a part of it otherwise than
/// to read or to set a member? Member functions that it calls are a part of it.
class Naming {
public:
  bool in(const Stmt *S) {
    if (!S || isa<CXXThisExpr>(S))
      return S;
    if (const auto *C = dyn_cast<CompoundStmt>(S))
      return llvm::any_of(C->body(), [&](const Stmt *Part) {
        const auto *E = dyn_cast<Expr>(Part);
        if (const auto *W = dyn_cast_or_null<FullExpr>(E))
          E = W->getSubExpr();
        const auto *Call =
            E ? dyn_cast<CallExpr>(E->IgnoreParenImpCasts()) : nullptr;
        return Call && objectOf(Call) ? call(Call, true) : in(Part);
      });
    if (const auto *R = dyn_cast<ReturnStmt>(S); R && Dropped)
      return !isObject(R->getRetValue()) && in(R->getRetValue());
    if (const auto *U = dyn_cast<UnaryOperator>(S);
        U && U->getOpcode() == UO_AddrOf && asksForObject(U))
      return true;
    if (const auto *C = dyn_cast<CallExpr>(S); C && objectOf(C))
      return call(C, false);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(S);
        A && ownMember(A->getBase()))
      return in(A->getIdx());
    if (const MemberExpr *M = ownMember(S))
      return M->getType()->isArrayType();
    return llvm::any_of(S->children(),
                        [&](const Stmt *Child) { return in(Child); });
  }

private:
  unsigned Depth = 0;
  /// Nobody takes what the member function that is looked into returns.
  bool Dropped = false;

  /// `*this`, or `this` in front of `->`.
  static bool isObject(const Expr *E) {
    E = E ? E->IgnoreParenImpCasts() : nullptr;
    if (const auto *U = dyn_cast_or_null<UnaryOperator>(E);
        U && U->getOpcode() == UO_Deref)
      E = U->getSubExpr()->IgnoreParenImpCasts();
    return isa_and_nonnull<CXXThisExpr>(E);
  }

  bool call(const CallExpr *C, bool ResultDropped) {
    const Expr *Object = objectOf(C);
    for (const Expr *A : argumentsOf(C))
      if (in(A))
        return true;
    if (!asksForObject(Object))
      return in(Object);
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    if (!isObject(Object) || !M || M->isVirtual())
      return true;
    if (M->isTrivial())
      return !ResultDropped;
    if (!M->hasBody(Body) || Depth == 4)
      return true;
    ++Depth;
    const bool Was = std::exchange(Dropped, ResultDropped);
    const bool Found = in(Body->getBody());
    Dropped = Was;
    --Depth;
    return Found;
  }
};

} // namespace

/// Does an object keep the address of a part of its own, or may it?
static bool keepsOwnAddress(const CXXRecordDecl *R) {
  for (const CXXConstructorDecl *K : R->ctors()) {
    const FunctionDecl *Body = nullptr;
    if (K->isTrivial() || K->isImplicit() || !K->hasBody(Body))
      continue;
    K = cast<CXXConstructorDecl>(Body);
    if (Naming().in(K->getBody()))
      return true;
    for (const CXXCtorInitializer *I : K->inits()) {
      const FieldDecl *F = I->getAnyMember();
      if (Naming().in(I->getInit()) ||
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
