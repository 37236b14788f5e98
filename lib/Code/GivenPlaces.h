// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parameters of functions around instructions are given, as expressions
// of the code that calls them.
#ifndef KPIPE_CODE_GIVENPLACES_H
#define KPIPE_CODE_GIVENPLACES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

class GivenPlaces {
public:
  explicit GivenPlaces(const clang::ASTContext &Context) : Context(Context) {}

  /// From here on, and until leave(), expressions are those of a function's
  /// body, which C calls.
  void enter(const clang::CallExpr *C, const clang::FunctionDecl *Body);
  /// Likewise, where it is not told what anything is given.
  void enter(const clang::FunctionDecl *Body);
  void leave() { Frames.pop_back(); }
  bool inside() const { return !Frames.empty(); }

  /// The same value or place as an expression of the code outside of all
  /// functions that were entered; null: cannot be told.
  const clang::Expr *resolve(const clang::Expr *E) const;
  /// The object that an element or a member belongs to, likewise.
  const clang::Expr *objectOf(const clang::Expr *E) const;

private:
  struct Frame {
    const clang::FunctionDecl *In = nullptr;
    llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Given;
    /// What a member function is called on, an object or a pointer to it.
    const clang::Expr *Object = nullptr;
  };
  const clang::ASTContext &Context;
  llvm::SmallVector<Frame, 4> Frames;

  const clang::Expr *argumentOf(const clang::Expr *E, unsigned Depth) const;
  const clang::Expr *step(const clang::Expr *E, bool &Done) const;
  const clang::Expr *ofMember(const clang::MemberExpr *M) const;
};

} // namespace kpipe

#endif // KPIPE_CODE_GIVENPLACES_H
