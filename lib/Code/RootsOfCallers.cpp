// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the callers of the outermost function say of its parameters, see
// Scope.h: objects that are copied, and ones that references are bound to.
#include "Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool Scope::isCalledInSight() const {
  return !Caller && Calls && !Function->hasAttr<CUDAGlobalAttr>() &&
         Calls->hasAll(Function);
}

bool Scope::eachCall(
    llvm::function_ref<bool(const Scope &, const HeldPointers::Call &)> Each)
    const {
  if (Depth >= 4 || !isCalledInSight())
    return false;
  auto Found = Calls->Calls.find(Function->getCanonicalDecl());
  if (Found == Calls->Calls.end())
    return false;
  return llvm::all_of(Found->second, [&](const CallExpr *C) {
    const FunctionDecl *From = Calls->CallerOf.lookup(C);
    if (!From || From == Function || !From->getBody())
      return false;
    Scope CallerScope(Context, From, Calls);
    CallerScope.Depth = Depth + 1;
    CallerScope.Spent = Spent;
    return Each(CallerScope, calleeOf(C));
  });
}

/// Is a value of the type made of numbers alone?
static bool isNumbers(QualType T) {
  T = QualType(T->getBaseElementTypeUnsafe(), 0);
  if (T->isArithmeticType() || T->isEnumeralType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  return R && R->hasDefinition() &&
         llvm::all_of(R->fields(),
                      [](const FieldDecl *F) {
                        return isNumbers(F->getType());
                      }) &&
         llvm::all_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return isNumbers(B.getType());
         });
}

Roots Scope::reached(const Expr *E) const {
  if (E->getType()->isPointerType())
    return ofPointer(E);
  Roots R = E->isGLValue() ? ofLValue(E) : Roots();
  if (!isNumbers(E->getType()))
    addRoots(R, E->getType()->isRecordType() ? ofObject(E) : unknownRoots());
  addRoots(R, ofReferences(E, E->getType()));
  return R;
}

bool isHandedTwice(const Scope &In, const HeldPointers::Call &C,
                   const Expr *As, const VarDecl *V) {
  auto Reaches = [&](const Expr *E) {
    return E && E != As &&
           llvm::any_of(In.reached(E), [&](const MemoryRoot &Root) {
             return Root.Where == Space::Unknown ||
                    (Root.Where == Space::Local && Root.Var == V);
           });
  };
  return Reaches(C.Object) || llvm::any_of(C.Arguments, Reaches);
}

bool Scope::bindsLocal(const ParmVarDecl *P) const {
  auto [It, New] = Binds.try_emplace(P, false);
  if (New) {
    bool Local = alwaysBoundToLocal(P);
    Binds[P] = Local;
    return Local;
  }
  return It->second;
}

bool Scope::alwaysBoundToLocal(const ParmVarDecl *P) const {
  unsigned I = P->getFunctionScopeIndex();
  return P->getDeclContext() == Function &&
         P->getType().getNonReferenceType()->isRecordType() &&
         eachCall([&](const Scope &In, const HeldPointers::Call &C) {
           if (I >= C.Arguments.size())
             return false;
           Roots R = In.ofLValue(C.Arguments[I]);
           return R.size() == 1 && R[0].Where == Space::Local &&
                  (!R[0].Var ||
                   !isHandedTwice(In, C, C.Arguments[I], R[0].Var));
         });
}

Roots Scope::ofOpenObject(const ParmVarDecl *P) const {
  // Only the memory space travels; the pointers are the parameter's.
  MemoryRoot Global = rootAt(Space::Global, P);
  Global.Indirect = true;
  unsigned I = P->getFunctionScopeIndex();
  bool InGlobal = false, InShared = false, Elsewhere = false;
  bool All = P->getDeclContext() == Function &&
             eachCall([&](const Scope &In, const HeldPointers::Call &C) {
               if (I >= C.Arguments.size())
                 return false;
               for (const MemoryRoot &One : In.ofObject(C.Arguments[I])) {
                 Global.Assumed |= One.Assumed;
                 InGlobal |= One.Where == Space::Global;
                 InShared |= One.Where == Space::Shared;
                 Elsewhere |= One.Where != Space::Global &&
                              One.Where != Space::Shared;
               }
               return true;
             });
  if (Elsewhere)
    return unknownRoots();
  if (!All && !Function->hasAttr<CUDAGlobalAttr>())
    Global.Assumed = true;
  Roots R;
  if (InGlobal || !InShared || Global.Assumed)
    R.push_back(Global);
  if (InShared) // which array is told by the member, not by the object
    R.push_back(rootAt(Space::Shared, nullptr));
  return R;
}

} // namespace kpipe
