// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small questions to statements and expressions that every part of the analysis
// asks.
#ifndef KPIPE_CODE_ASTUTILS_H
#define KPIPE_CODE_ASTUTILS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace kpipe {

/// `'k0'` as messages quote names.
std::string quoted(const clang::NamedDecl *D);

/// Where S begins; invalid if S is null.
clang::SourceLocation startOf(const clang::Stmt *S);

/// Constant value of E in the analysed instantiation.
std::optional<int64_t> constantValue(const clang::Expr *E,
                                     const clang::ASTContext &Context);

/// Whether T has a size and an alignment that may be asked for: Clang's
/// functions do not end for types of code that does not parse.
bool hasSize(clang::QualType T);

/// The constructor whose body runs: of one that is inherited, the base's.
const clang::CXXConstructorDecl *
constructorOf(const clang::CXXConstructExpr *C);

/// How many arguments of a call stand in front of those for its parameters: the
/// object of an operator is one, unless it is a parameter itself.
unsigned argumentsBefore(const clang::CallExpr *C);
/// The arguments for the parameters.
llvm::SmallVector<const clang::Expr *, 8> givenTo(const clang::CallExpr *C);
/// What a member function is called on, an object or a pointer to it; null
/// where it is called on nothing.
const clang::Expr *calledOn(const clang::CallExpr *C);

/// The variable that an update expression (`++t`, `k += BK`, `k = k + BK`)
/// changes, or null if E is none or null.
const clang::VarDecl *updatedVariable(const clang::Expr *E);
/// The variable that an expression is, but for parentheses and implicit casts;
/// null for any other.
const clang::VarDecl *mentionedVariable(const clang::Expr *E);

/// Does S name a variable that Asked is true of? Bodies of lambdas are not walked.
bool namesAny(const clang::Stmt *S,
              llvm::function_ref<bool(const clang::VarDecl *)> Asked);

/// The statements around Target within Root, outermost first, Target the last;
/// empty if it is not there, or in a lambda.
llvm::SmallVector<const clang::Stmt *, 16> pathTo(const clang::Stmt *Target,
                                                  const clang::Stmt *Root);

/// A function as written: for an instantiation its template's pattern.
inline const clang::FunctionDecl *written(const clang::FunctionDecl *F) {
  const clang::FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return Pattern ? Pattern : F;
}

/// The statement in In that declares V; null where none does.
const clang::DeclStmt *declarationOf(const clang::VarDecl *V,
                                     const clang::Stmt *In);

} // namespace kpipe

#endif // KPIPE_CODE_ASTUTILS_H
