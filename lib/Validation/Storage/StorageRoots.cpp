// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call hands over, and which storage may be the same, see
// StorageRoots.h.

#include "StorageRoots.h"
#include "Overlays.h"
#include "StorageResolver.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

/// An operator whose first operand is no parameter.
static bool isOnObject(const CallExpr *C) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
  return isa<CXXOperatorCallExpr>(C) && C->getNumArgs() && M &&
         !M->isExplicitObjectMemberFunction();
}

llvm::SmallVector<const Expr *, 8> argumentsOf(const CallExpr *C) {
  llvm::SmallVector<const Expr *, 8> Args(C->arguments());
  if (isOnObject(C))
    Args.erase(Args.begin());
  return Args;
}

const Expr *objectOf(const CallExpr *C) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
    return M->getImplicitObjectArgument();
  return isOnObject(C) ? C->getArg(0) : nullptr;
}

const CallFrame *frameOfThis(const CallFrame &In) {
  for (const CallFrame *F = &In; F;) {
    const auto *M = dyn_cast<CXXMethodDecl>(F->Function);
    if (!M)
      return nullptr;
    if (M->getParent()->isLambda()) {
      bool Pointer = false;
      for (const LambdaCapture &C : M->getParent()->captures())
        Pointer |= C.capturesThis() && C.getCaptureKind() == LCK_This;
      const DeclContext *Around = M->getParent()->getDeclContext();
      do
        F = F->Caller;
      while (F && F->Function != Around);
      if (!Pointer)
        return nullptr;
    } else if (F->Object &&
               isa<CXXThisExpr>(F->Object->IgnoreParenImpCasts())) {
      F = F->Caller;
    } else {
      return F;
    }
  }
  return nullptr;
}

bool CallFrame::calls(const FunctionDecl *F) const {
  for (const CallFrame *At = this; At; At = At->Caller)
    if (At->Function->getCanonicalDecl() == F->getCanonicalDecl())
      return true;
  return false;
}

bool CallFrame::isTooDeep() const {
  constexpr unsigned Most = 40, Free = 12, MostDeep = 4096;
  const CallFrame *First = this;
  while (First->Caller)
    First = First->Caller;
  return Depth >= Most || (Depth >= Free && First->Deep++ >= MostDeep);
}

Storages storageOfLValue(const Expr *E, const CallFrame &In) {
  return StorageResolver().lvalue(E, In);
}

Storages storageOfPointer(const Expr *E, const CallFrame &In) {
  return StorageResolver().pointer(E, In);
}

static bool isDynamic(const VarDecl *V) {
  return V->hasExternalStorage() || V->getType()->isIncompleteType();
}

bool mayBeSame(const Storage &A, const Storage &B, const FunctionDecl *Function,
               const CodeIndex &Index) {
  using K = Storage::Kind;
  if (B.Where < A.Where)
    return mayBeSame(B, A, Function, Index);
  switch (A.Where) {
  case K::Local:
    if (B.Where == K::Local)
      return A.Var == B.Var &&
             (A.Var || !A.Field || !B.Field || A.Field == B.Field);
    // Its owner may have given the address away.
    if (!A.Var || A.Var->getType()->isReferenceType())
      return B.Where == K::Unknown || (B.Where == K::Pointee && !B.Global);
    return B.Where == K::Unknown &&
           (Index.namesOf(Function).Renamed.count(A.Var) ||
            mayNameItself(A.Var->getType()));
  case K::Shared:
    if (B.Where == K::Shared)
      return !A.Var || !B.Var || A.Var == B.Var ||
             (isDynamic(A.Var) && isDynamic(B.Var));
    if (B.Where == K::Pointee) // own shared variables have no outer pointer
      return !B.Global && (!A.Var || isDynamic(A.Var) ||
                           A.Var->getDeclContext() != Function);
    // Of an array that is only indexed nobody has kept the address.
    return B.Where == K::Unknown ||
           (B.Where == K::AnyGlobal && Index.keepsPointers() &&
            (!A.Var || A.Var->getDeclContext() != Function ||
             Index.namesOf(Function).Renamed.count(A.Var)));
  case K::Device:
    if (B.Where == K::Device)
      return A.Var == B.Var;
    return B.Where != K::Pointee || !B.Restrict;
  case K::Pointee:
    if (B.Where == K::Pointee)
      return A == B || (!A.Restrict && !B.Restrict);
    // A pointer that comes out of memory may have been made of this one.
    return !A.Restrict || B.Where == K::Unknown || Index.keepsPointers();
  case K::AnyGlobal:
  case K::Unknown:
    return true;
  }
  return true;
}

} // namespace kpipe
