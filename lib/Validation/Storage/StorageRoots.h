// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an lvalue or a pointer of device code can lie: the validators' own
// answer, made apart from the analysis so that a mistake there is not repeated
// here. Coarse on purpose: what cannot be told in a few steps is Unknown.
#ifndef KPIPE_VALIDATION_STORAGEROOTS_H
#define KPIPE_VALIDATION_STORAGEROOTS_H

#include "ApartParts.h"
#include "CodeIndex.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Storage that an access may touch.
struct Storage {
  enum class Kind {
    Local,     ///< the thread's own variable Var; null: the member Field of the
               ///< object of the function, or all of them
    Shared,    ///< the shared variable Var; null: any shared memory
    Device,    ///< the `__device__` variable Var
    Pointee,   ///< what the pointer Var (its member Field) points to
    AnyGlobal, ///< some global memory
    Unknown    ///< anything that is not a local variable of known uses
  };
  Kind Where = Kind::Unknown;
  const clang::VarDecl *Var = nullptr;
  const clang::FieldDecl *Field = nullptr;
  /// Pointee: Var is `__restrict__` for as long as the function runs.
  bool Restrict = false;
  /// Pointee: shown to be global memory; else it may be shared as well.
  bool Global = false;
  /// Local: the mention of Var that it was reached by, however far away.
  const clang::DeclRefExpr *Mention = nullptr;

  bool operator==(const Storage &O) const {
    return Where == O.Where && Var == O.Var && Field == O.Field;
  }
};

using Storages = llvm::SmallVector<Storage, 2>;
/// It may be anything.
inline Storages unknownStorage() { return {Storage()}; }

/// One call on the way from the function that is looked at.
struct CallFrame {
  const clang::FunctionDecl *Function = nullptr;
  const CallFrame *Caller = nullptr;
  llvm::ArrayRef<const clang::Expr *> Arguments;
  /// What `this` is, an expression of the caller's; may be a pointer.
  const clang::Expr *Object = nullptr;
  const CodeIndex *Index = nullptr;
  unsigned Depth = 0;
  /// Of the outermost frame: calls far down that were followed from it.
  mutable unsigned Deep = 0;
  /// Names of parts that are taken for variables of their own; may be null.
  const ApartNames *Apart = nullptr;
  const clang::VarDecl *partOf(const clang::VarDecl *Name) const {
    return Apart ? Apart->lookup(Name) : nullptr;
  }

  bool calls(const clang::FunctionDecl *F) const;
  /// Is no call followed from here? Each function may call several others, so
  /// far down only so many are.
  bool isTooDeep() const;
};

/// Storage of the object that a glvalue designates. Empty: a temporary.
Storages storageOfLValue(const clang::Expr *E, const CallFrame &In);
/// Storage that a pointer can point to. Empty: null.
Storages storageOfPointer(const clang::Expr *E, const CallFrame &In);

/// May both be the same storage? \p Function: whose locals are meant.
bool mayBeSame(const Storage &A, const Storage &B,
               const clang::FunctionDecl *Function, const CodeIndex &Index);

/// The frame of the member function whose object `this` is in In: closures and
/// calls on `this` have that of another one. Null if that cannot be told.
const CallFrame *frameOfThis(const CallFrame &In);

/// The arguments of a call as its callee's parameters see them, without the
/// object of an operator; and that object, or null.
llvm::SmallVector<const clang::Expr *, 8> argumentsOf(const clang::CallExpr *C);
const clang::Expr *objectOf(const clang::CallExpr *C);

} // namespace kpipe

#endif // KPIPE_VALIDATION_STORAGEROOTS_H
