// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of variables and functions, in the code and in its text. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_SPELLEDNAMES_H
#define KPIPE_LIB_VALIDATION_SPELLEDNAMES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include <functional>
#include <vector>

namespace kpipe {

/// The names in a piece of code that are wanted.
class NamesOfCode final : public clang::ConstDynamicRecursiveASTVisitor {
public:
  NamesOfCode(std::function<bool(const clang::Expr *)> Wanted)
      : Wanted(std::move(Wanted)) {
    ShouldVisitTemplateInstantiations = true;
  }
  std::vector<const clang::Expr *> Found;

  bool VisitDeclRefExpr(const clang::DeclRefExpr *D) override { return add(D); }
  bool VisitOverloadExpr(const clang::OverloadExpr *O) override {
    return add(O);
  }

private:
  std::function<bool(const clang::Expr *)> Wanted;
  bool add(const clang::Expr *E) {
    if (Wanted(E))
      Found.push_back(E);
    return true;
  }
};

std::vector<const clang::Expr *> mentionsIn(const clang::Decl *D,
                                            const clang::Stmt *In);

/// Does the text of a function spell the variable's name where it is declared,
/// where it was seen, and nowhere else?
bool spellsNowhereElse(const clang::FunctionDecl *F, const clang::VarDecl *V,
                       llvm::ArrayRef<const clang::Expr *> Seen,
                       const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SPELLEDNAMES_H
