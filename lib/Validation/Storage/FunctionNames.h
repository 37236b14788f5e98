// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of one function: what its pointers are given, what its objects
// hold, and which variables go by another name than their own. One of the facts
// that the validators look up, see CodeIndex.h.
#ifndef KPIPE_VALIDATION_FUNCTIONNAMES_H
#define KPIPE_VALIDATION_FUNCTIONNAMES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Pointer variables of one function: what each is given, and which variables
/// have another name than their own.
struct FunctionNames {
  /// A null entry: anything.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Given;
  /// What objects of class type, or parts of them, are given: pointers and
  /// whole objects. A reference member is a name of what it is bound to.
  llvm::DenseMap<const clang::ValueDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Holds;
  /// Mentioned otherwise than to read, assign, step or index them.
  llvm::DenseSet<const clang::VarDecl *> Renamed;

  /// A call that is given an object by reference.
  struct Handing {
    const clang::Expr *At = nullptr; ///< a call or a construction
    /// The parameter that is bound to the object; -1: it is `this`.
    int Parameter = -1;
  };
  /// In these, the null variable is `*this`.
  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<Handing, 2>>
      Handed;
  /// Reference members of objects that are made here, which are bound to it.
  llvm::DenseMap<const clang::ValueDecl *,
                 llvm::SmallVector<const clang::FieldDecl *, 1>>
      BoundTo;
  /// Renamed in another way than by these, and than by naming a number in it.
  llvm::DenseSet<const clang::ValueDecl *> Escaped;
  /// The function returns a reference to it or into it.
  llvm::DenseSet<const clang::ValueDecl *> Returned;
  /// A constructor: what the reference members of its object are bound to.
  llvm::DenseMap<const clang::FieldDecl *, const clang::Expr *> Bound;
  /// Calls with whose value nothing is done.
  llvm::DenseSet<const clang::Expr *> Dropped;
};

/// The names in a function's body, and in what a constructor does before it.
FunctionNames namesIn(const clang::FunctionDecl *F);

/// The variable that E is a plain mention of, or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

/// The reference member that E names, of whatever object, or null.
const clang::FieldDecl *referenceMember(const clang::Expr *E);

/// The mention of a variable, of a reference member or of `this` whose object a
/// glvalue is a part of, by its own name; else null.
const clang::Expr *ownerOf(const clang::Expr *E);

/// `v` of `v.x[i]`: the expression whose storage E is a part of, by its own
/// name.
const clang::Expr *baseOf(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_VALIDATION_FUNCTIONNAMES_H
