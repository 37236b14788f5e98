// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that nobody wrote as one, or that lead out of sight: constructors,
// destructors, function pointers, virtual functions, functions of other files.
// What they may copy asynchronously is in flight behind them. See AsyncCalls.h.
#include "AstUtils.h"
#include "AsyncCalls.h"
#include "KnownFunctions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

class Search {
public:
  explicit Search(AsyncCode &Code) : Code(Code) {}

  /// Does S itself call such a function?
  bool calls(const Stmt *S) {
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      if (isa<CUDAKernelCallExpr>(C))
        return false; // threads of their own
      const FunctionDecl *F = C->getDirectCallee();
      const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
      return !F || (M && M->isVirtual()) || leadsTo(F, /*Named=*/true) ||
             ends(C->getCallReturnType(Code.Context));
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::any_of(D->decls(), [&](const Decl *One) {
        const auto *V = dyn_cast<VarDecl>(One);
        return V && ends(V->getType());
      });
    const auto *Made = dyn_cast<CXXConstructExpr>(S);
    return Made && (leadsTo(Made->getConstructor(), /*Named=*/false) ||
                    ends(Made->getType()));
  }

private:
  AsyncCode &Code;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  /// Named: what it copies itself its calls are read as.
  bool leadsTo(const FunctionDecl *F, bool Named) {
    if (isToolkits(F))
      return false;
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body))
      return !F->isImplicit() && !F->isDefaulted() && !F->getBuiltinID();
    if (!Seen.insert(Body).second)
      return false;
    const AsyncOps *Ops = Code.of(Body);
    if (Ops && !Ops->All.empty())
      return !Named;
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *I : Made->inits())
        if (within(I->getInit(), /*Operations=*/true))
          return true;
    return within(Body->getBody(), /*Operations=*/false);
  }

  bool within(const Stmt *S, bool Operations) {
    if (!S)
      return false;
    const auto *C = dyn_cast<CallExpr>(S);
    if (calls(S) || (Operations && C && !opsOfCall(C, Code).empty()))
      return true;
    return llvm::any_of(S->children(), [&](const Stmt *Kid) {
      return within(Kid, Operations);
    });
  }

  /// Does the end of an object?
  bool ends(QualType T) {
    if (T->isReferenceType() || T->isVoidType())
      return false;
    const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const CXXDestructorDecl *D =
        R && R->hasDefinition() ? R->getDestructor() : nullptr;
    return D && !D->isTrivial() && !isToolkits(R) &&
           (D->isDefaulted() || leadsTo(D, /*Named=*/false));
  }
};

} // namespace

bool callsUnseen(const Stmt *S, AsyncCode &Code) {
  return Search(Code).calls(S);
}

} // namespace kpipe
