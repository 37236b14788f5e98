// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths to mentions, see UsePaths.h.
#include "UsePaths.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

namespace {

struct PathFinder : ConstDynamicRecursiveASTVisitor {
  explicit PathFinder(const VarDecl *V) : V(V) {}
  const VarDecl *V;
  UsePath At;
  std::vector<UsePath> Found;

  bool TraverseStmt(const Stmt *S) override {
    if (!S)
      return true;
    At.push_back(S);
    if (const auto *D = dyn_cast<DeclRefExpr>(S); D && D->getDecl() == V)
      Found.push_back(At);
    bool Good = ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    At.pop_back();
    return Good;
  }
};

} // namespace

std::vector<UsePath> pathsTo(const Stmt *Body, const VarDecl *V) {
  PathFinder Find(V);
  Find.TraverseStmt(Body);
  return std::move(Find.Found);
}

llvm::SmallVector<const Expr *, 4> subscriptsAround(UseSite &S, unsigned Rank) {
  llvm::SmallVector<const Expr *, 4> Subscripts;
  for (;;) {
    const Stmt *Above = S.above();
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Above);
    if (isa_and_nonnull<ParenExpr>(Above) ||
        (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay &&
         Subscripts.size() < Rank)) {
      S = S.up();
      continue;
    }
    const auto *A = dyn_cast_or_null<ArraySubscriptExpr>(Above);
    if (!A || A->getBase() != S.expr() || Subscripts.size() == Rank)
      return Subscripts;
    Subscripts.push_back(A->getIdx());
    S = S.up();
  }
}

const VarDecl *initialised(const Stmt *Above, const Expr *E) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(Above))
    for (const Decl *One : D->decls())
      if (const auto *Local = dyn_cast<VarDecl>(One);
          Local && Local->getInit() == E)
        return Local;
  return nullptr;
}

unsigned argumentIndex(const CallExpr *C, const Expr *E) {
  unsigned I = 0;
  while (I != C->getNumArgs() && C->getArg(I) != E)
    ++I;
  return I;
}

} // namespace kpipe
