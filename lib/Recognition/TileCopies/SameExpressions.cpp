// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node by node, see SameExpressions.h. What is no plain lvalue or arithmetic is
// not the same.

#include "SameExpressions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include <algorithm>

using namespace clang;

namespace kpipe {

bool sameButFor(const Counters &Map, const Stmt *A, const Stmt *B,
                const ASTContext &Context) {
  auto plain = [](const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    while (E) {
      E = E->IgnoreParens();
      S = E;
      const auto *Given = dyn_cast<SubstNonTypeTemplateParmExpr>(E);
      E = Given ? Given->getReplacement() : nullptr;
    }
    return S;
  };
  A = plain(A), B = plain(B);
  if (A->getStmtClass() != B->getStmtClass())
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(A)) {
    const Decl *Wanted = D->getDecl();
    for (auto &[Mine, Other] : Map)
      if (Wanted == Mine)
        Wanted = Other;
    return Wanted == cast<DeclRefExpr>(B)->getDecl();
  }
  // `threadIdx.x` is a pseudo object.
  if (A->children().empty() || B->children().empty() ||
      isa<PseudoObjectExpr>(A)) {
    llvm::FoldingSetNodeID X, Y;
    A->Profile(X, Context, true);
    B->Profile(Y, Context, true);
    return X == Y;
  }
  bool Same = false;
  if (const auto *C = dyn_cast<CastExpr>(A))
    Same = C->getCastKind() == cast<CastExpr>(B)->getCastKind() &&
           Context.hasSameType(C->getType(), cast<CastExpr>(B)->getType());
  else if (const auto *O = dyn_cast<BinaryOperator>(A))
    Same = O->getOpcode() == cast<BinaryOperator>(B)->getOpcode();
  else if (const auto *O = dyn_cast<UnaryOperator>(A))
    Same = O->getOpcode() == cast<UnaryOperator>(B)->getOpcode();
  else if (const auto *M = dyn_cast<MemberExpr>(A))
    Same = M->getMemberDecl() == cast<MemberExpr>(B)->getMemberDecl();
  else
    Same = isa<ArraySubscriptExpr>(A);
  auto Mine = A->children(), Others = B->children();
  return Same && std::equal(Mine.begin(), Mine.end(), Others.begin(),
                            Others.end(), [&](const Stmt *X, const Stmt *Y) {
                              return X && Y && sameButFor(Map, X, Y, Context);
                            });
}

} // namespace kpipe
