// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a statement copy asynchronously, in it or in what it runs? Asked of
// Clang's tree alone; nothing that lib/Code says of copies is believed. Beside
// calls, code is run by objects that are made and end, default members and
// arguments, inherited constructors, bindings, new and delete, and by functions
// of the toolkit that are given some. See LoweredCode.h.
#include "Code/KnownFunctions.h"
#include "LoweredCode.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

class UnseenSearch {
public:
  explicit UnseenSearch(const PlainFunctions &Plain) : Plain(Plain) {}

  bool within(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
      std::string Text = A->getAsmString();
      llvm::StringRef Words = Text;
      return Words.contains("cp.async.c") && Words.contains("shared");
    }
    return itself(S) || llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return within(Kid);
           });
  }

private:
  const PlainFunctions &Plain;
  llvm::SmallPtrSet<const Decl *, 16> Seen;

  bool itself(const Stmt *S) {
    if (const auto *C = dyn_cast<CallExpr>(S))
      return call(C);
    if (const auto *Made = dyn_cast<CXXConstructExpr>(S))
      return function(Made->getConstructor()) || holds(Made->getType());
    if (const auto *Made = dyn_cast<CXXInheritedCtorInitExpr>(S))
      return function(Made->getConstructor());
    if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(S))
      return ends(Bound->getType());
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::any_of(D->decls(), [&](const Decl *One) {
        const auto *V = dyn_cast<VarDecl>(One);
        return V && (ends(V->getType()) || bindings(V));
      });
    // None of these has what it runs among its children.
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return within(D->getExpr());
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
      return within(D->getExpr());
    if (const auto *L = dyn_cast<InitListExpr>(S))
      return L->hasArrayFiller() && within(L->getArrayFiller());
    if (const auto *N = dyn_cast<CXXNewExpr>(S))
      return N->getOperatorNew() && function(N->getOperatorNew());
    if (const auto *N = dyn_cast<CXXDeleteExpr>(S))
      return ends(N->getDestroyedType()) ||
             (N->getOperatorDelete() && function(N->getOperatorDelete()));
    return false;
  }

  bool call(const CallExpr *C) {
    const FunctionDecl *Callee = C->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    if (!Callee || (Method && Method->isVirtual()) || function(Callee))
      return true;
    if (!isToolkits(Callee))
      return false;
    const auto *Of = dyn_cast<CXXMemberCallExpr>(C);
    return (Of && holds(Of->getObjectType())) ||
           llvm::any_of(C->arguments(),
                        [&](const Expr *A) { return gives(A); });
  }

  /// A function that is out of sight may copy. The toolkit's own by other names
  /// do not.
  bool function(const FunctionDecl *F) {
    if (isToolkits(F))
      return F->getIdentifier() && F->getName().contains("memcpy_async");
    if (const auto *D = dyn_cast<CXXDestructorDecl>(F);
        D && parts(D->getParent(), &UnseenSearch::ends))
      return true;
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body))
      return !F->isImplicit() && !F->isDefaulted() && !F->getBuiltinID();
    if (Plain.count(Body) || !Seen.insert(Body).second)
      return false;
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *I : Made->inits())
        if (within(I->getInit()))
          return true;
    return within(Body->getBody());
  }

  /// The members and bases of a class.
  bool parts(const CXXRecordDecl *R, bool (UnseenSearch::*Ask)(QualType)) {
    return llvm::any_of(R->fields(),
                        [&](const FieldDecl *F) {
                          return (this->*Ask)(F->getType());
                        }) ||
           llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &B) {
             return (this->*Ask)(B.getType());
           });
  }

  /// Does the end of an object copy?
  bool ends(QualType T) {
    const CXXRecordDecl *R =
        T.isNull() || T->isReferenceType()
            ? nullptr
            : T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const CXXDestructorDecl *D =
        R && R->hasDefinition() ? R->getDestructor() : nullptr;
    if (!D || D->isTrivial())
      return false;
    return isToolkits(R) ? holds(T) : D->isVirtual() || function(D);
  }

  /// `auto [a, b] = pair;` calls `get` for each.
  bool bindings(const VarDecl *V) {
    const auto *All = dyn_cast<DecompositionDecl>(V);
    return All && llvm::any_of(All->bindings(), [&](const BindingDecl *B) {
             const VarDecl *Held = B->getHoldingVar();
             return Held && within(Held->getInit());
           });
  }

  /// A function or an object whose code the toolkit may run: `invoke(f, …)`.
  bool gives(const Expr *A) {
    A = A->IgnoreParenImpCasts();
    QualType T = A->getType().getNonReferenceType();
    if (T->isFunctionType() || T->isFunctionPointerType() ||
        T->isMemberPointerType()) {
      const auto *Address = dyn_cast<UnaryOperator>(A);
      const auto *Name = dyn_cast<DeclRefExpr>(
          Address ? Address->getSubExpr()->IgnoreParenImpCasts() : A);
      const auto *F = Name ? dyn_cast<FunctionDecl>(Name->getDecl()) : nullptr;
      return !F || function(F);
    }
    return holds(T->isPointerType() ? T->getPointeeType() : T);
  }

  /// Is there code of the author's in a type that copies, whoever calls it?
  bool holds(QualType T) {
    const CXXRecordDecl *R =
        T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() ||
        !Seen.insert(R = R->getDefinition()).second)
      return false;
    if (isToolkits(R)) {
      const auto *Of = dyn_cast<ClassTemplateSpecializationDecl>(R);
      return Of && llvm::any_of(
                       Of->getTemplateArgs().asArray(),
                       [&](const TemplateArgument &A) { return argument(A); });
    }
    return parts(R, &UnseenSearch::holds) ||
           llvm::any_of(R->fields(),
                        [&](const FieldDecl *F) {
                          return within(F->getInClassInitializer());
                        }) ||
           llvm::any_of(R->decls(), [&](const Decl *D) { return member(D); });
  }

  bool argument(const TemplateArgument &A) {
    switch (A.getKind()) {
    case TemplateArgument::Type:
      return holds(A.getAsType().getNonReferenceType());
    case TemplateArgument::Pack:
      return llvm::any_of(A.getPackAsArray(), [&](const TemplateArgument &One) {
        return argument(One);
      });
    case TemplateArgument::Declaration: {
      const auto *F = dyn_cast<FunctionDecl>(A.getAsDecl());
      return F && function(F);
    }
    default:
      return false;
    }
  }

  bool member(const Decl *D) {
    if (const auto *Friend = dyn_cast<FriendDecl>(D))
      D = Friend->getFriendDecl();
    if (const auto *Some = dyn_cast_or_null<FunctionTemplateDecl>(D))
      return llvm::any_of(Some->specializations(),
                          [&](const FunctionDecl *F) { return function(F); });
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    return F && !F->isDeleted() && !F->isPureVirtual() && function(F);
  }
};

} // namespace

bool copiesAsynchronously(const Stmt *S, const PlainFunctions &Plain) {
  return UnseenSearch(Plain).within(S);
}

} // namespace kpipe
