// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers of AstUtils.h.
#include "AstUtils.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

std::string quoted(const NamedDecl *D) { return "'" + D->getNameAsString() + "'"; }

SourceLocation startOf(const Stmt *S) {
  return S ? S->getBeginLoc() : SourceLocation();
}

std::optional<int64_t> constantValue(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult R;
  if (!E || E->isValueDependent() || E->isTypeDependent() ||
      !E->EvaluateAsInt(R, Context) || R.HasSideEffects ||
      !R.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return R.Val.getInt().getExtValue();
}

bool hasSize(QualType T) {
  return !T.isNull() && !T->isDependentType() && !T->isIncompleteType() &&
         !T->isFunctionType() && !T->isUndeducedType();
}

const CXXConstructorDecl *constructorOf(const CXXConstructExpr *C) {
  const CXXConstructorDecl *K = C->getConstructor();
  while (K->isInheritingConstructor() &&
         K->getInheritedConstructor().getConstructor())
    K = K->getInheritedConstructor().getConstructor();
  return K;
}

unsigned argumentsBefore(const CallExpr *C) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
  return M && isa<CXXOperatorCallExpr>(C) && C->getNumArgs() &&
         !M->isExplicitObjectMemberFunction();
}

llvm::SmallVector<const Expr *, 8> givenTo(const CallExpr *C) {
  return {C->arg_begin() + argumentsBefore(C), C->arg_end()};
}

const Expr *calledOn(const CallExpr *C) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
    return M->getImplicitObjectArgument();
  // `copy.fill(xs)` of a static member.
  if (const auto *M =
          dyn_cast<MemberExpr>(C->getCallee()->IgnoreParenImpCasts()))
    return M->getBase();
  return argumentsBefore(C) ? C->getArg(0) : nullptr;
}

const VarDecl *mentionedVariable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const VarDecl *updatedVariable(const Expr *E) {
  if (!E)
    return nullptr;
  E = E->IgnoreParens();
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    E = W->getSubExpr()->IgnoreParens();
  const Expr *Target = nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->isIncrementDecrementOp())
    Target = U->getSubExpr();
  else if (const auto *B = dyn_cast<BinaryOperator>(E);
           B && B->isAssignmentOp())
    Target = B->getLHS();
  if (!Target)
    return nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

bool namesAny(const Stmt *S,
              llvm::function_ref<bool(const VarDecl *)> Asked) {
  llvm::SmallVector<const Stmt *, 16> Left{S};
  while (!Left.empty()) {
    const Stmt *Here = Left.pop_back_val();
    if (const auto *D = dyn_cast_or_null<DeclRefExpr>(Here))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Asked(V))
        return true;
    if (Here)
      Left.append(Here->child_begin(), Here->child_end());
  }
  return false;
}

llvm::SmallVector<const Stmt *, 16> pathTo(const Stmt *Target,
                                           const Stmt *Root) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Stmt *Target;
    llvm::SmallVector<const Stmt *, 16> Path;
    bool Done = false;
    bool TraverseStmt(const Stmt *S) override {
      if (!S || Done)
        return true;
      Path.push_back(S);
      if (S == Target)
        Done = true;
      else
        ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      if (!Done)
        Path.pop_back();
      return true;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } F;
  F.Target = Target;
  F.TraverseStmt(Root);
  return F.Path;
}

const DeclStmt *declarationOf(const VarDecl *V, const Stmt *In) {
  const auto *D = dyn_cast_or_null<DeclStmt>(In);
  if (!In || D)
    return D && llvm::is_contained(D->decls(), V) ? D : nullptr;
  for (const Stmt *Child : In->children())
    if (const DeclStmt *Found = declarationOf(V, Child))
      return Found;
  return nullptr;
}

} // namespace kpipe
