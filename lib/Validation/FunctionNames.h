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
  /// whole objects.
  llvm::DenseMap<const clang::VarDecl *,
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
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<Handing, 2>> Handed;
  /// Renamed in another way than by being handed to a call, and than by naming
  /// a number in it.
  llvm::DenseSet<const clang::VarDecl *> Escaped;
  /// The function returns a reference to it or into it.
  llvm::DenseSet<const clang::VarDecl *> Returned;
  /// Calls with whose value nothing is done.
  llvm::DenseSet<const clang::Expr *> Dropped;
};

/// The names in a function's body, and in what a constructor does before it.
FunctionNames namesIn(const clang::FunctionDecl *F);

/// The variable that E is a plain mention of, or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

/// The mention of a variable or of `this` whose object a glvalue is a part of,
/// by its own name; else null.
const clang::Expr *ownerOf(const clang::Expr *E);

/// `v` of `v.x[i]`: the expression whose storage E is a part of, by its own
/// name.
const clang::Expr *baseOf(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_VALIDATION_FUNCTIONNAMES_H
