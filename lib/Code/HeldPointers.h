// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointer members of an object can be given: values of its members,
// whole objects of which it is a copy, and calls that it is handed to by
// reference, member functions first of all. What its reference members are
// bound to, and which reference members of other objects are bound to it.
// Private to the analysis; it finds expressions and does not say what they
// point to.
#ifndef KPIPE_CODE_HELDPOINTERS_H
#define KPIPE_CODE_HELDPOINTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct HeldPointers {
  /// A call in which the object has another name.
  struct Call {
    const clang::FunctionDecl *Callee = nullptr;
    llvm::SmallVector<const clang::Expr *, 4> Arguments;
    /// What a member function is called on, as in a Scope.
    const clang::Expr *Object = nullptr;
    /// The parameter that is the object; none: it is the callee's `this`.
    std::optional<unsigned> Parameter;
    /// Something is done with the value.
    bool Used = false;
  };
  /// What single members are given, anywhere in the function.
  llvm::SmallVector<const clang::Expr *, 4> Values;
  /// What the object is initialised with and assigned, as a whole.
  llvm::SmallVector<const clang::Expr *, 2> Objects;
  llvm::SmallVector<Call, 2> Calls;
  /// What its reference members are bound to, by its constructor.
  llvm::SmallVector<std::pair<const clang::FieldDecl *, const clang::Expr *>, 2>
      References;
  /// Reference members of other objects that are bound to it, or to a part.
  llvm::SmallVector<const clang::FieldDecl *, 2> BoundTo;
  /// The function returns a reference to it, or to a part of it.
  bool Returned = false;
  /// It is used in a way by which it may be given anything.
  bool Anything = false;
};

/// What a call calls, on what and with what; no callee if that is not known.
HeldPointers::Call calleeOf(const clang::CallExpr *C);

/// \param V a local variable of class type or a reference parameter; a
/// reference member, for what is bound to it; null for the object that the
/// member function F is called on, or makes.
/// \param F the function whose body is searched.
HeldPointers heldPointers(const clang::ValueDecl *V,
                          const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_CODE_HELDPOINTERS_H
