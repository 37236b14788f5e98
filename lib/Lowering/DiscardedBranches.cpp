// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instance does not have what it discards, so the template's text is read,
// see DiscardedBranches.h.
#include "DiscardedBranches.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

namespace {

/// In the branches of the `if` at one place of the text.
struct BranchReader : ConstDynamicRecursiveASTVisitor {
  SourceLocation At;
  bool Inside = false, Found = false;

  bool TraverseIfStmt(const IfStmt *If) override {
    const bool Around = Inside;
    Inside |= If->getIfLoc() == At;
    ConstDynamicRecursiveASTVisitor::TraverseIfStmt(If);
    Inside = Around;
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *) override { return meet(); }
  bool VisitAsmStmt(const AsmStmt *) override { return meet(); }
  bool VisitDecl(const Decl *D) override {
    const auto *V = dyn_cast<VarDecl>(D);
    return V && !V->getType()->isArrayType() ? true : meet();
  }

private:
  bool meet() {
    Found |= Inside;
    return true;
  }
};

} // namespace

bool mayNotCompile(const IfStmt *If, const FunctionDecl *Body) {
  const FunctionDecl *Pattern = Body->getTemplateInstantiationPattern();
  BranchReader Branches;
  Branches.At = If->getIfLoc();
  Branches.TraverseStmt((Pattern ? Pattern : Body)->getBody());
  return Branches.Found;
}

} // namespace kpipe
