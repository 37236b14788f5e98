// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an lvalue or a pointer of device code can lie: the validators' own
// answer, made apart from the analysis so that a mistake there is not repeated
// here. Coarse on purpose: what cannot be told in a few steps is Unknown.
#ifndef KPIPE_VALIDATION_STORAGEROOTS_H
#define KPIPE_VALIDATION_STORAGEROOTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace kpipe {

/// Storage that an access may touch.
struct Storage {
  enum class Kind {
    Local,     ///< the thread's own variable Var
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
};

/// What is looked up in a unit: who calls whom, and the names in functions.
class CodeIndex {
public:
  explicit CodeIndex(clang::ASTContext &Context);

  clang::ASTContext &context() const { return Context; }
  struct Call {
    const clang::CallExpr *At;
    const clang::FunctionDecl *In; ///< null: outside of functions
  };
  /// Every direct call of F, in source order.
  llvm::ArrayRef<Call> callsOf(const clang::FunctionDecl *F) const;
  /// F may be called in ways that are not seen: its address is taken, it is
  /// virtual, or a library is given the object.
  bool hidden(const clang::FunctionDecl *F) const;
  const FunctionNames &namesOf(const clang::FunctionDecl *F) const;
  /// Device code stores a pointer where it is found later.
  bool keepsPointers() const { return KeepsPointers; }

private:
  clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<Call, 2>> Calls;
  llvm::DenseSet<const clang::FunctionDecl *> Hidden;
  /// Classes of which others may call the members.
  llvm::DenseSet<const clang::CXXRecordDecl *> HandedOut;
  bool KeepsPointers = false;
  mutable llvm::DenseMap<const clang::FunctionDecl *,
                         std::unique_ptr<FunctionNames>>
      Names;
};

/// One call on the way from the function that is looked at.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  const Frame *Caller = nullptr;
  llvm::ArrayRef<const clang::Expr *> Arguments;
  /// What `this` is, an expression of the caller's; may be a pointer.
  const clang::Expr *Object = nullptr;
  const CodeIndex *Index = nullptr;
  unsigned Depth = 0;

  bool calls(const clang::FunctionDecl *F) const;
};

/// Storage of the object that a glvalue designates. Empty: a temporary.
Storages storageOfLValue(const clang::Expr *E, const Frame &In);
/// Storage that a pointer can point to. Empty: null.
Storages storageOfPointer(const clang::Expr *E, const Frame &In);

/// May both be the same storage? \p Function: whose locals are meant.
bool mayBeSame(const Storage &A, const Storage &B,
               const clang::FunctionDecl *Function, const CodeIndex &Index);

/// The arguments of a call as its callee's parameters see them, without the
/// object of an operator; and that object, or null.
llvm::SmallVector<const clang::Expr *, 8>
argumentsOf(const clang::CallExpr *C);
const clang::Expr *objectOf(const clang::CallExpr *C);

} // namespace kpipe

#endif // KPIPE_VALIDATION_STORAGEROOTS_H
