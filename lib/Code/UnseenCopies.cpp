// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that nobody wrote as one, or that lead out of sight: constructors,
// destructors, function pointers, virtual functions, functions of other files.
// What they may copy asynchronously is in flight behind them. See AsyncCalls.h.
#include "AstUtils.h"
#include "AsyncCalls.h"
#include "KnownFunctions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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
             (isToolkits(F) &&
              llvm::any_of(C->arguments(),
                           [&](const Expr *A) { return handsCode(A); })) ||
             ends(C->getCallReturnType(Code.Context));
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::any_of(D->decls(), [&](const Decl *One) {
        const auto *V = dyn_cast<VarDecl>(One);
        return V && (ends(V->getType()) || bindingsCall(V));
      });
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return within(D->getExpr(), /*Operations=*/true);
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
      return within(D->getExpr(), /*Operations=*/true);
    // `Drains{to, from};`: a temporary that no constructor makes.
    if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(S))
      return ends(B->getType());
    if (const auto *I = dyn_cast<CXXInheritedCtorInitExpr>(S))
      return leadsTo(I->getConstructor(), /*Named=*/false);
    if (const auto *L = dyn_cast<InitListExpr>(S))
      return L->hasArrayFiller() &&
             within(L->getArrayFiller(), /*Operations=*/true);
    if (const auto *N = dyn_cast<CXXNewExpr>(S))
      return N->getOperatorNew() &&
             leadsTo(N->getOperatorNew(), /*Named=*/false);
    if (const auto *N = dyn_cast<CXXDeleteExpr>(S))
      return ends(N->getDestroyedType()) ||
             (N->getOperatorDelete() &&
              leadsTo(N->getOperatorDelete(), /*Named=*/false));
    const auto *Made = dyn_cast<CXXConstructExpr>(S);
    return Made && (leadsTo(Made->getConstructor(), /*Named=*/false) ||
                    holdsAuthors(Made->getType()) || ends(Made->getType()));
  }

private:
  AsyncCode &Code;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  /// `cuda::std::invoke(f, …)`: what the toolkit is given it may call, be it an
  /// operator or a method that makes copies of an object.
  bool handsCode(const Expr *A) {
    A = A->IgnoreParenImpCasts();
    const QualType T = A->getType().getNonReferenceType();
    if (T->isFunctionType() || T->isFunctionPointerType() ||
        T->isMemberPointerType()) {
      const auto *U = dyn_cast<UnaryOperator>(A);
      const auto *D =
          dyn_cast<DeclRefExpr>(U ? U->getSubExpr()->IgnoreParenImpCasts() : A);
      const auto *F = D ? dyn_cast<FunctionDecl>(D->getDecl()) : nullptr;
      return !F || leadsTo(F, /*Named=*/false);
    }
    const CXXRecordDecl *R =
        T->getPointeeOrArrayElementType()->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() || isToolkits(R))
      return false;
    return llvm::any_of(R->getDefinition()->methods(),
                        [&](const CXXMethodDecl *M) {
                          return M->isVirtual() || leadsTo(M, /*Named=*/false);
                        });
  }

  /// `cuda::std::optional<Mine>`: the toolkit makes and ends them.
  static bool holdsAuthors(QualType T) {
    const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        T->getAsCXXRecordDecl());
    return R && isToolkits(R) &&
           llvm::any_of(R->getTemplateArgs().asArray(),
                        [](const TemplateArgument &A) {
                          const CXXRecordDecl *Of =
                              A.getKind() == TemplateArgument::Type
                                  ? A.getAsType()->getAsCXXRecordDecl()
                                  : nullptr;
                          return Of && Of->hasDefinition() && !isToolkits(Of) &&
                                 (Of->hasUserDeclaredConstructor() ||
                                  !Of->hasTrivialDestructor() ||
                                  Of->hasInClassInitializer());
                        });
  }

  /// `auto [a, b] = pair;` calls `get` for each.
  bool bindingsCall(const VarDecl *V) {
    const auto *All = dyn_cast<DecompositionDecl>(V);
    return All && llvm::any_of(All->bindings(), [&](const BindingDecl *B) {
             const VarDecl *Held = B->getHoldingVar();
             return Held && within(Held->getInit(), /*Operations=*/true);
           });
  }

  /// Named: what it copies itself its calls are read as.
  bool leadsTo(const FunctionDecl *F, bool Named) {
    if (isToolkits(F))
      return false;
    if (const auto *D = dyn_cast<CXXDestructorDecl>(F);
        D && partsEnd(D->getParent()))
      return true;
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

  /// The members and the bases end behind the body.
  bool partsEnd(const CXXRecordDecl *R) {
    return llvm::any_of(
               R->fields(),
               [&](const FieldDecl *F) { return ends(F->getType()); }) ||
           llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &B) {
             return ends(B.getType());
           });
  }
};

} // namespace

bool callsUnseen(const Stmt *S, AsyncCode &Code) {
  return Code.LooksForUnseen && Search(Code).calls(S);
}

} // namespace kpipe
