// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over code that Accesses.h asks for, in one bag: nothing is said of
// the order. Private to the validation.
#ifndef KPIPE_VALIDATION_ACCESSWALKER_H
#define KPIPE_VALIDATION_ACCESSWALKER_H

#include "Accesses.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"

namespace kpipe {

class AccessWalker {
public:
  AccessWalker(const CallFrame &In, const clang::Stmt *Outer)
      : In(In), Outer(Outer) {}

  /// The accesses of S and everything in it.
  void gather(const clang::Stmt *S);

  /// What S itself does when its parts are evaluated.
  void node(const clang::Stmt *S);

  /// A destructor runs, which is not looked into.
  void destroy(const clang::Stmt *At) { anything(At); }

  Accesses Found;

private:
  const CallFrame &In;
  const clang::Stmt *Outer;
  const clang::Stmt *outer(const clang::Stmt *S) const {
    return Outer ? Outer : S;
  }

  void record(const Storages &Where, bool Write, const clang::Stmt *At);
  void read(const clang::Expr *LValue, const clang::Stmt *At);
  void write(const clang::Expr *LValue, const clang::Stmt *At);
  void readThrough(const clang::Expr *Pointer, const clang::Stmt *At);
  void writeThrough(const clang::Expr *Pointer, const clang::Stmt *At);
  void anything(const clang::Stmt *At);
  void barrier();
  void argument(const clang::Expr *A, bool Write, const clang::Stmt *At);

  void declaration(const clang::VarDecl *V, const clang::Stmt *At);
  void call(const clang::CallExpr *C);
  void construct(const clang::CXXConstructExpr *C);
  void known(const clang::CallExpr *C, CallKind Kind,
             llvm::ArrayRef<const clang::Expr *> Args);
  void enter(const clang::FunctionDecl *F,
             llvm::ArrayRef<const clang::Expr *> Args,
             const clang::Expr *Object, const clang::Expr *At);
  void ordinary(const clang::CallExpr *C,
                llvm::ArrayRef<const clang::Expr *> Args);
  void assembly(const clang::GCCAsmStmt *A);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_ACCESSWALKER_H
