// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines and barriers by their names, and loops that wait for one, see
// AsyncCalls.h.
#include "AstUtils.h"
#include "AsyncCalls.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

const VarDecl *namedBy(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr()->IgnoreParenCasts();
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const VarDecl *namedBy(const Expr *E, std::optional<unsigned> &Element,
                       const ASTContext &Context) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref))
    E = U->getSubExpr()->IgnoreParenCasts();
  const Expr *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    E = A->getBase()->IgnoreParenCasts();
    Index = A->getIdx();
  } else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->getOpcode() == BO_Add) {
    E = B->getLHS()->IgnoreParenCasts();
    Index = B->getRHS();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const auto *Array =
      V ? Context.getAsConstantArrayType(V->getType()) : nullptr;
  if (!V || (Index && !Array))
    return nullptr;
  auto Known = Index ? constantValue(Index, Context) : 0;
  if (Array && Array->getSize() == 1)
    Known = 0; // there is no other
  if (Known && *Known >= 0 && (!Array || Array->getSize().ugt(*Known)))
    Element = *Known;
  return V;
}

const Stmt *pollingLoop(const CallExpr *C, const AsyncOps &Ops) {
  const Stmt *S = Ops.parent(C);
  while (isa_and_nonnull<ParenExpr, ImplicitCastExpr, FullExpr>(S))
    S = Ops.parent(S);
  const auto *Not = dyn_cast_or_null<UnaryOperator>(S);
  if (!Not || Not->getOpcode() != UO_LNot)
    return nullptr;
  do
    S = Ops.parent(S);
  while (isa_and_nonnull<ParenExpr, ImplicitCastExpr, FullExpr>(S));
  const Stmt *Body = nullptr;
  if (const auto *W = dyn_cast_or_null<WhileStmt>(S);
      W && !W->getConditionVariable() && Ops.within(C, W->getCond()))
    Body = W->getBody();
  else if (const auto *D = dyn_cast_or_null<DoStmt>(S);
           D && Ops.within(C, D->getCond()))
    Body = D->getBody();
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
  return Body && (isa<NullStmt>(Body) || (Block && Block->body_empty())) &&
                 !S->getBeginLoc().isMacroID()
             ? S
             : nullptr;
}

} // namespace kpipe
