// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where memory comes from: resolves an lvalue or a pointer to the variables
// whose storage it can designate, through casts, pointer arithmetic, local
// pointer variables and the arguments of the calls on the way. Flow-insensitive
// and conservative: what cannot be told is Space::Unknown. Knows nothing of
// loops. Scope.cpp has the variables and parameters, RootsOfObjects.cpp the
// members of objects, RootsOfExpressions.cpp all other expressions.
#ifndef KPIPE_CODE_SCOPE_H
#define KPIPE_CODE_SCOPE_H

#include "CallIndex.h"
#include "HeldPointers.h"
#include "LocalValues.h"
#include "MemoryRoot.h"
#include "Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace kpipe {

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

  /// The size of every block that runs this code, where it is known.
  std::optional<Extent3> block() const { return Block; }
  void setBlock(std::optional<Extent3> B) { Block = B; }

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
  static constexpr unsigned MaxSteps = 4096;
  class Step {
  public:
    explicit Step(Effort &E) : E(E) {
      E.Steps = E.Nested++ ? E.Steps + 1 : 0;
    }
    ~Step() { --E.Nested; }
    bool tooMany() const { return E.Steps > MaxSteps; }

  private:
    Effort &E;
  };

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

  clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  const Scope *Caller = nullptr;
  const clang::Expr *Object = nullptr;
  const CallIndex *Calls = nullptr;
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Arguments;
  PointerValues Assigned;
  /// Once it was asked for.
  mutable std::optional<llvm::SmallPtrSet<const clang::VarDecl *, 4>> Changed;
  mutable llvm::DenseMap<const clang::VarDecl *, HeldPointers> Held;
  unsigned Depth = 0;
  std::optional<Extent3> Block;
  /// Guards against pointers that are assigned from one another.
  mutable llvm::SmallVector<const clang::VarDecl *, 4> Resolving;
  /// One for this scope, its callers and its callees.
  std::shared_ptr<Effort> Spent;
};

} // namespace kpipe

#endif // KPIPE_CODE_SCOPE_H
