// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at each mention of an object, see HeldPointers.h. A mention that is no
// plain read, copy or assignment gives it another name.
#include "HeldPointers.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Members that lie over each other: one may be read as another.
bool hasUnion(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition() || R->isUnion())
    return true;
  return llvm::any_of(
             R->fields(),
             [](const FieldDecl *F) {
               const Type *T = F->getType()->getBaseElementTypeUnsafe();
               return T->isRecordType() && hasUnion(T->getAsCXXRecordDecl());
             }) ||
         llvm::any_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return hasUnion(B.getType()->getAsCXXRecordDecl());
         });
}

class Mentions {
public:
  explicit Mentions(const VarDecl *V) : V(V) {}
  HeldPointers Found;

  void visit(const Stmt *S) {
    if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      Found.Anything |= D->getDecl() == V;
      return;
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (One == V && V->hasInit())
          Found.Objects.push_back(V->getInit());
    if (!assigned(S) && !read(S))
      for (const Stmt *Child : S->children())
        visit(Child);
  }

private:
  const VarDecl *V;

  /// Is it the object, or a part of it? Visits the indices on the way.
  bool isPart(const Expr *E, bool Whole) {
    llvm::SmallVector<const Expr *, 2> Indices;
    for (bool Member = Whole;;) {
      E = E->IgnoreParens();
      if (const auto *M = dyn_cast<MemberExpr>(E);
          M && !M->isArrow() && isa<FieldDecl>(M->getMemberDecl())) {
        E = M->getBase();
        Member = true;
      } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        const auto *Decay =
            dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
        if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
          return false;
        Indices.push_back(A->getIdx());
        E = Decay->getSubExpr();
      } else if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
                 C && C->getCastKind() == CK_NoOp) {
        E = C->getSubExpr();
      } else {
        const auto *D = dyn_cast<DeclRefExpr>(E);
        if (!D || D->getDecl() != V || !Member)
          return false;
        llvm::for_each(Indices, [&](const Expr *I) { visit(I); });
        return true;
      }
    }
  }

  static bool isScalar(QualType T) {
    return T->isPointerType() || T->isArithmeticType() || T->isEnumeralType();
  }

  bool assigned(const Stmt *S) {
    if (const auto *U = dyn_cast<UnaryOperator>(S))
      return U->isIncrementDecrementOp() &&
             isScalar(U->getSubExpr()->getType()) &&
             isPart(U->getSubExpr(), false);
    if (const auto *B = dyn_cast<BinaryOperator>(S)) {
      if (!B->isAssignmentOp() || !isScalar(B->getLHS()->getType()) ||
          !isPart(B->getLHS(), false))
        return false;
      // `p += n` stays in the same object.
      if (B->getOpcode() == BO_Assign &&
          B->getLHS()->getType()->isPointerType())
        Found.Values.push_back(B->getRHS());
      visit(B->getRHS());
      return true;
    }
    const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
    const auto *M =
        C ? dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee()) : nullptr;
    if (!M || !M->isTrivial() || C->getOperator() != OO_Equal ||
        C->getNumArgs() != 2 || !isPart(C->getArg(0), true))
      return false;
    Found.Objects.push_back(C->getArg(1));
    visit(C->getArg(1));
    return true;
  }

  /// Does the statement only take the value?
  bool read(const Stmt *S) {
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S))
      return C->getCastKind() == CK_LValueToRValue &&
             isPart(C->getSubExpr(), true);
    const auto *C = dyn_cast<CXXConstructExpr>(S);
    return C && C->getConstructor()->isTrivial() && C->getNumArgs() == 1 &&
           isPart(C->getArg(0), true);
  }
};

} // namespace

HeldPointers heldPointers(const VarDecl *V, const Stmt *Body) {
  Mentions M(V);
  if (hasUnion(V->getType()->getAsCXXRecordDecl()))
    M.Found.Anything = true;
  else
    M.visit(Body);
  return std::move(M.Found);
}

} // namespace kpipe
