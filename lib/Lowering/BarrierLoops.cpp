// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BarrierLoops.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

const VarDecl *ownerOfElement(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      E = M->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E))
      E = U->getSubExpr();
    else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp())
      E = B->getLHS();
    else
      break;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const Expr *assignedTo(const Expr *E, SourceLocation *At) {
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp()) {
    if (At)
      *At = B->getOperatorLoc();
    return B->getLHS();
  }
  const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
  if (!C || !C->isAssignmentOp())
    return nullptr;
  if (At)
    *At = C->getOperatorLoc();
  return C->getArg(0);
}

bool anyNode(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Is) {
  return S && (Is(S) || llvm::any_of(S->children(), [&](const Stmt *Kid) {
                 return anyNode(Kid, Is);
               }));
}

/// Is V in shared memory, or a name that may lead there? What a kernel is given
/// does not, nor what is made of that.
static bool mayNameTile(const VarDecl *V, unsigned Depth = 0) {
  if (V->hasAttr<CUDASharedAttr>())
    return true;
  if (!V->getType()->isPointerType() && !V->getType()->isReferenceType())
    return false;
  const auto *Of = dyn_cast<FunctionDecl>(V->getDeclContext());
  if (isa<ParmVarDecl>(V))
    return !Of || !Of->hasAttr<CUDAGlobalAttr>();
  bool Given = false;
  return Depth > 4 || !V->hasInit() ||
         anyNode(V->getInit(),
                 [&](const Stmt *One) {
                   const auto *D = dyn_cast<DeclRefExpr>(One);
                   const auto *By =
                       D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
                   Given |= By && By->getType()->isPointerType();
                   return By && mayNameTile(By, Depth + 1);
                 }) ||
         !Given;
}

bool fillsTile(const Stmt *S) {
  return anyNode(S, [](const Stmt *One) {
    const auto *E = dyn_cast<Expr>(One);
    const Expr *To = E ? assignedTo(E) : nullptr;
    const VarDecl *V = To && !isa<DeclRefExpr>(To->IgnoreParenCasts())
                           ? ownerOfElement(To)
                           : nullptr;
    return V && mayNameTile(V);
  });
}

} // namespace kpipe
