// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two names for one part of an object, see Overlays.h.

#include "Overlays.h"
#include "KeptPlaces.h"
#include "StorageRoots.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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
  /// \param Kept the place that S names may be kept.
  bool in(const Stmt *S, bool Kept = false) {
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
    if (const auto *R = dyn_cast<ReturnStmt>(S);
        R && Dropped && isObject(R->getRetValue()))
      return false;
    if (const auto *C = dyn_cast<CallExpr>(S); C && objectOf(C))
      return call(C, false);
    if (const MemberExpr *M = ownMember(S))
      return Kept && !M->getMemberDecl()->getType()->isReferenceType();
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return Child && in(Child, keepsPlace(S, Child, Kept));
    });
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
      if (in(A, true))
        return true;
    if (!asksForObject(Object))
      return in(Object, true);
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

/// Does a constructor keep the address of a part of what it makes, or may it?
static bool keepsOwnAddress(const CXXConstructorDecl *K) {
  const FunctionDecl *Body = nullptr;
  if (K->isTrivial() || K->isImplicit() || !K->hasBody(Body))
    return false;
  K = cast<CXXConstructorDecl>(Body);
  return Naming().in(K->getBody()) ||
         llvm::any_of(K->inits(), [](const CXXCtorInitializer *I) {
           const FieldDecl *F = I->getAnyMember();
           const bool Binds = F && F->getType()->isReferenceType();
           return (Binds && asksForObject(I->getInit())) ||
                  Naming().in(I->getInit(), true);
         });
}

/// Does one of them? Those that a template made are not listed with the others.
static bool keepsOwnAddress(const CXXRecordDecl *R) {
  return llvm::any_of(R->decls(), [](const Decl *D) {
    if (const auto *T = dyn_cast<FunctionTemplateDecl>(D);
        T && isa<CXXConstructorDecl>(T->getTemplatedDecl()))
      return llvm::any_of(T->specializations(), [](const FunctionDecl *F) {
        return keepsOwnAddress(cast<CXXConstructorDecl>(F));
      });
    const auto *K = dyn_cast<CXXConstructorDecl>(D);
    return K && keepsOwnAddress(K);
  });
}

/// \param Unions members that lie over each other count as well.
static bool overlays(const CXXRecordDecl *R, bool Unions) {
  if (!R || !R->hasDefinition() || (Unions && R->isUnion()) ||
      keepsOwnAddress(R))
    return true;
  return llvm::any_of(R->bases(),
                      [&](const CXXBaseSpecifier &B) {
                        return overlays(B.getType()->getAsCXXRecordDecl(),
                                        Unions);
                      }) ||
         llvm::any_of(R->fields(), [&](const FieldDecl *F) {
           const Type *T = F->getType()->getBaseElementTypeUnsafe();
           if (F->hasInClassInitializer() &&
               (!F->getInClassInitializer() ||
                asksForObject(F->getInClassInitializer())))
             return true;
           return T->isRecordType() &&
                  overlays(T->getAsCXXRecordDecl(), Unions);
         });
}

bool mayOverlay(const CXXRecordDecl *R) { return overlays(R, true); }

bool mayNameItself(QualType T) {
  const Type *Of = T.getNonReferenceType()->getBaseElementTypeUnsafe();
  return Of->isRecordType() && overlays(Of->getAsCXXRecordDecl(), false);
}

} // namespace kpipe
