// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of helpers, see HelperCalls.h. The clones of a member function are
// members of its class as well: they stand behind it in the text of the class,
// so that all it names means the same and may be named.

#include "HelperCalls.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Scope helperScope(const TileCopy &C, const Scope &In) {
  return Scope(In, C.Helper, givenTo(C.HelperCall), calledOn(C.HelperCall));
}

/// Does the call find the function by a using declaration, which would not find
/// what stands beside it?
static bool isFoundByUsing(const CallExpr *Call) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  const NamedDecl *Found = nullptr;
  if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
    Found = D->getFoundDecl();
  else if (const auto *M = dyn_cast<MemberExpr>(Callee))
    Found = M->getFoundDecl().getDecl();
  return isa_and_nonnull<UsingShadowDecl>(Found);
}

Message whyNotCloned(const CallExpr *Call, const FunctionDecl *Helper) {
  const auto *M = dyn_cast<CXXMethodDecl>(Helper);
  if (!M)
    return {};
  const std::string Name = M->getNameAsString();
  const FunctionDecl *Pattern = M->getTemplateInstantiationPattern();
  if (M->getParent()->isLambda())
    return {msg::filled_by_lambda};
  if (M->getParent()->isLocalClass())
    return {msg::filled_by_local_member, Name};
  if ((Pattern ? Pattern : M)->isOutOfLine())
    return {msg::filled_by_outer_member, Name};
  if (isFoundByUsing(Call))
    return {msg::filled_by_used_member, Name};
  if (M->isVirtual())
    return {msg::filled_by_virtual, Name};
  // Neither is called on what it is a member of.
  if (M->isExplicitObjectMemberFunction() ||
      (M->isStatic() && argumentsBefore(Call)))
    return {msg::filled_by_member, Name};
  return {};
}

Message whyObjectVaries(const CallExpr *Call, const FunctionDecl *Helper,
                        const LoopFacts &Facts) {
  const auto *M = dyn_cast<CXXMethodDecl>(Helper);
  const Expr *Object = calledOn(Call);
  if (!M || M->isStatic() || !Object)
    return {};
  const std::string Name = M->getNameAsString();
  const Roots Where = Object->getType()->isPointerType()
                          ? Facts.In->ofPointer(Object)
                          : Facts.In->ofLValue(Object);
  const Effects Called = effectsOf(Call, *Facts.In);
  auto madeIn = [](const VarDecl *V, const Effects &E) {
    return E.Declared.count(V) != 0;
  };
  for (const MemoryRoot &R : Where) {
    if (R.Where == Space::Constant)
      continue;
    if (R.Where != Space::Local || !R.Var ||
        llvm::any_of(Facts.Items,
                     [&](const Effects &E) { return madeIn(R.Var, E); }))
      return {msg::filled_by_member, Name};
    if (Called.Writes.count(R.Var))
      return {msg::filled_by_changing_member, Name};
    if (Facts.Header.Writes.count(R.Var) ||
        llvm::any_of(Facts.Items, [&](const Effects &E) {
          return E.Writes.count(R.Var) != 0;
        }))
      return {msg::filled_by_changed_object, Name, R.Var->getNameAsString()};
  }
  return Where.empty() ? Message(msg::filled_by_member, Name) : Message();
}

bool placesNeed(const TileCopy &C, unsigned Argument) {
  if (Argument >= C.Helper->getNumParams())
    return false;
  const ParmVarDecl *P = C.Helper->getParamDecl(Argument);
  return C.PlaceNeeds.count(P) || C.GuardNeeds.count(P);
}

bool isBits(const TileCopy &C, unsigned Argument, const Scope &In) {
  if (Argument >= C.Helper->getNumParams())
    return false;
  const QualType T = C.Helper->getParamDecl(Argument)->getType();
  return !T->isDependentType() &&
         (T->isArithmeticType() ||
          (T->isRecordType() && T.isTriviallyCopyableType(In.context())));
}

} // namespace kpipe
