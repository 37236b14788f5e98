// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where memory comes from: resolves an lvalue or a pointer to the variables
// whose storage it can designate, through casts, pointer arithmetic, local
// pointer variables and the arguments of the calls on the way. Flow-insensitive
// and conservative: what cannot be told is Space::Unknown. Knows nothing of
// loops.
#ifndef KPIPE_CODE_SCOPE_H
#define KPIPE_CODE_SCOPE_H

#include "HeldPointers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace kpipe {

enum class Space { Local, Shared, Global, Constant, Unknown };

/// A variable that storage is reached through.
struct MemoryRoot {
  Space Where = Space::Unknown;
  /// The array or object itself (Local, Shared, Constant), or the pointer that
  /// global memory is reached through. Null when Unknown.
  const clang::VarDecl *Var = nullptr;
  /// Reached through a `__restrict__` pointer parameter of the function that
  /// is analysed.
  bool Restrict = false;
  /// Reached through a pointer that was itself loaded from memory.
  bool Indirect = false;
  /// Global as far as anyone can see, but nothing shows it: the parameter of a
  /// `__device__` function some of whose calls are not visible, or a pointer in
  /// memory where the unit's device code stores pointers itself.
  bool Assumed = false;
  /// A local `__restrict__` pointer on the way, which promises something for as
  /// long as it lives.
  const clang::VarDecl *Promise = nullptr;

  bool operator==(const MemoryRoot &O) const {
    return Where == O.Where && Var == O.Var && Indirect == O.Indirect;
  }
};

/// May two roots of shared memory be the same storage? Arrays have their own;
/// what parameters point to may be any other parameter's.
bool mayOverlap(const MemoryRoot &A, const MemoryRoot &B);

using Roots = llvm::SmallVector<MemoryRoot, 2>;

/// Calls of each function with a body in this translation unit: tells what the
/// pointer parameters of a `__device__` function can be.
using CallerMap = llvm::DenseMap<const clang::FunctionDecl *,
                                 llvm::SmallVector<const clang::CallExpr *, 2>>;

/// Every call expression of the unit, by callee, in source order; ones in
/// uninstantiated templates are left out. `CallerOf` maps each to the function
/// that it stands in.
struct CallIndex {
  CallerMap Calls;
  /// Functions that are named otherwise than to call them: not all of their
  /// calls are visible.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> AddressTaken;
  /// Device code puts a pointer into an object of the unit that is no local
  /// pointer variable: what is loaded from memory need not be the host's.
  bool StoresPointers = false;
  llvm::DenseMap<const clang::CallExpr *, const clang::FunctionDecl *> CallerOf;
};
CallIndex indexCalls(clang::ASTContext &Context);

/// One function under analysis, or one call of it from another scope.
class Scope {
public:
  /// The outermost function of an analysis.
  Scope(clang::ASTContext &Context, const clang::FunctionDecl *Function,
        const CallIndex *Calls);
  /// The callee of a call in From.
  /// \param Object what a member function is called on, a pointer or a glvalue
  /// of From; null where there is none.
  Scope(const Scope &From, const clang::FunctionDecl *Callee,
        llvm::ArrayRef<const clang::Expr *> Arguments,
        const clang::Expr *Object = nullptr);

  const clang::FunctionDecl *function() const { return Function; }
  clang::ASTContext &context() const { return Context; }
  unsigned depth() const { return Depth; }
  /// Calls of Callee on the way here, to stop at recursion.
  bool contains(const clang::FunctionDecl *Callee) const;

  /// The scope that the call stands in, null in the outermost function.
  const Scope *caller() const { return Caller; }
  /// What the call gives for a parameter of this function, an expression of the
  /// caller's; null where there is none.
  const clang::Expr *argument(const clang::VarDecl *Parameter) const {
    return Arguments.lookup(Parameter);
  }

  /// What the object designated by a glvalue can be.
  Roots ofLValue(const clang::Expr *E) const;
  /// What a pointer value can point to.
  Roots ofPointer(const clang::Expr *E) const;

private:
  /// Steps of the question that is being answered. A pointer that is given
  /// another one twice, which is given a third one twice, has twice as many for
  /// each; beyond the limit the answer is that anything can be meant.
  struct Effort {
    unsigned Nested = 0, Steps = 0;
  };
  class Step;
  static constexpr unsigned MaxSteps = 4096;

  Roots lvalueRoots(const clang::Expr *E) const;
  Roots pointerRoots(const clang::Expr *E) const;
  Roots ofPointerVar(const clang::VarDecl *V) const;
  Roots ofOpenParameter(const clang::ParmVarDecl *P) const;
  /// What a pointer that is a part of an object can point to.
  Roots ofLoaded(const clang::Expr *Object) const;
  /// The same of a local object of this function, and of the value of one.
  Roots ofHeld(const clang::VarDecl *V) const;
  Roots ofObject(const clang::Expr *Value) const;
  Roots ofThis() const;
  Roots ofCall(const clang::CallExpr *C, bool Reference) const;
  const CallIndex *index() const;
  bool changes(const clang::VarDecl *V) const;
  std::pair<const Scope *, const clang::Expr *>
  valueOfMember(const clang::Expr *E) const;
  Roots ofVariable(const clang::VarDecl *V) const;
  Roots ofReturned(const clang::FunctionDecl *F,
                   llvm::ArrayRef<const clang::Expr *> Arguments,
                   bool Reference, const clang::Expr *Object = nullptr) const;
  void indexPointers(const clang::Stmt *S);

  clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  const Scope *Caller = nullptr;
  const clang::Expr *Object = nullptr;
  const CallIndex *Calls = nullptr;
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Arguments;
  /// Values that each local pointer takes; a null entry means "anything".
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Assigned;
  /// Objects of class type that are used otherwise than to read a member.
  mutable llvm::SmallPtrSet<const clang::VarDecl *, 4> Changed;
  mutable bool SearchedForChanges = false;
  mutable llvm::DenseMap<const clang::VarDecl *, HeldPointers> Held;
  unsigned Depth = 0;
  /// Guards against pointers that are assigned from one another.
  mutable llvm::SmallVector<const clang::VarDecl *, 4> Resolving;
  /// One for this scope, its callers and its callees.
  std::shared_ptr<Effort> Spent;
};

} // namespace kpipe

#endif // KPIPE_CODE_SCOPE_H
