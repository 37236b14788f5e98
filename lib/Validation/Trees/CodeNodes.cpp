// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk, implicit code included, see CodeNodes.h.

#include "CodeNodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace kpipe {

namespace {

struct Collector : ConstDynamicRecursiveASTVisitor {
  CodeNodes Of;

  Collector() { ShouldVisitImplicitCode = true; }
  bool VisitStmt(const Stmt *S) override {
    Of.All.insert(S);
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    Of.Declared.insert(V);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      Of.Mentioned.insert(V);
    return true;
  }
};

} // namespace

CodeNodes nodesOf(const Stmt *S) {
  Collector C;
  C.TraverseStmt(S);
  return std::move(C.Of);
}

} // namespace kpipe
