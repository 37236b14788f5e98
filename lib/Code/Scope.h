// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where memory comes from: resolves an lvalue or a pointer to the variables
// whose storage it can designate, through casts, pointer arithmetic, local
// pointer variables and the arguments of the calls on the way. Flow-insensitive
// and conservative: what cannot be told is Space::Unknown. Knows nothing of
// loops. Scope.cpp has the variables and parameters, RootsOfObjects.cpp the
// members of objects, RootsOfThis.cpp `this`, RootsOfCallers.cpp what callers give,
// RootsOfExpressions.cpp all other expressions.
#ifndef KPIPE_CODE_SCOPE_H
#define KPIPE_CODE_SCOPE_H

#include "CallIndex.h"
#include "HeldPointers.h"
#include "LocalValues.h"
#include "MemoryRoot.h"
#include "SharedParts.h"
#include "Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace kpipe {

/// The size of every block that runs some code, as far as it is known.
struct KnownBlock {
  std::optional<Extent3> Size;
  /// Are all launches seen?
  bool Certain = false;
};

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
  /// How many calls, one in another, are followed: far more than people write,
  /// as long as few of them stand below FreeDepth of them. A function that
  /// makes two calls at each depth would take twice as long with each.
  static constexpr unsigned MaxDepth = 40, FreeDepth = 12;
  /// Is Callee being called on the way here?
  bool isCalling(const clang::FunctionDecl *Callee) const;
  /// The same, or too many are: no call of Callee is followed from here.
  bool contains(const clang::FunctionDecl *Callee) const;

  /// All that a callee can reach by an argument, or by the object it is called
  /// on: what it points or refers to, what its members and captures do.
  Roots reached(const clang::Expr *Argument) const;

  /// The calls of the unit; may be null.
  const CallIndex *calls() const { return index(); }
  /// Does the index have all calls of the outermost function?
  bool isCalledInSight() const;

  /// The size of every block that runs this code, where it is known.
  std::optional<Extent3> block() const { return Block.Size; }
  /// The same if no file that is not seen can launch another one.
  std::optional<Extent3> certainBlock() const {
    return Block.Certain ? Block.Size : std::nullopt;
  }
  const KnownBlock &blockSize() const { return Block; }
  void setBlock(const KnownBlock &B) { Block = B; }

  /// Names of parts that are taken for variables of their own.
  void setParts(PartsOfBlock P) { Parts = std::move(P); }
  const PartsOfBlock &parts() const { return Parts; }

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
    /// Calls below FreeDepth others that were looked at so far.
    unsigned Deep = 0;
    /// Reference members whose uses are being looked at.
    llvm::SmallVector<const clang::FieldDecl *, 4> Looking;
  };
  static constexpr unsigned MaxSteps = 4096, MaxDeep = 4096;
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
  Roots ofOpenReference(const clang::ParmVarDecl *P) const;
  /// Which names in an object are asked for: that reference member; null: what
  /// its pointers point to.
  using Part = const clang::FieldDecl *;
  /// What a pointer that is a part of an object can point to, or what the
  /// reference member Of is bound to.
  Roots ofLoaded(const clang::Expr *Object, Part Of = nullptr) const;
  /// The same of an object without a name that a member function on the way is
  /// called on, or that a constructor makes; nothing if From is no part of one.
  std::optional<Roots> ofUnnamed(const clang::Expr *From, Part Of) const;
  /// The same of a parameter that is a copy, or a name of a caller's variable.
  Roots ofCopied(const clang::ParmVarDecl *P, Part Of) const;
  /// The same of a local object of this function, and of the value of one.
  Roots ofHeld(const clang::VarDecl *V, Part Of) const;
  Roots ofObject(const clang::Expr *Value, Part Of = nullptr) const;
  Roots ofList(const clang::InitListExpr *L, Part Of) const;
  /// What a closure captures by reference, and what its pointers point to.
  Roots ofClosure(const clang::LambdaExpr *L) const;
  /// What the names in an object are given by its uses in this function.
  Roots ofGiven(const HeldPointers &H, Part Of) const;
  Roots ofHanded(const HeldPointers::Call &C, Part Of) const;
  /// All that the reference members of a type are bound to in the object.
  Roots ofReferences(const clang::Expr *Object, clang::QualType T) const;
  const HeldPointers &heldBy(const clang::ValueDecl *V) const;
  /// Are the pointers of the object never given anything in this function?
  bool settled(const HeldPointers &H) const;
  /// Is nothing given to the pointers of an object by the name of a reference
  /// member that is bound to it, anywhere in the unit?
  bool settledBy(const clang::FieldDecl *Reference) const;
  Roots ofThis() const;
  /// The scope of the member function that has the object which `this` is here.
  const Scope *ofObjectOfThis() const;
  Roots ofCall(const clang::CallExpr *C, bool Reference) const;
  const CallIndex *index() const;
  std::pair<const Scope *, const clang::Expr *>
  valueOfMember(const clang::Expr *E) const;
  /// The member that `this->m` or `(*this).m` names, or null.
  static const clang::FieldDecl *fieldOfThis(const clang::MemberExpr *M);
  /// Calls Each with every call of the outermost function, in the scope that it
  /// stands in; false if Each is once, or if there may be other calls.
  bool eachCall(llvm::function_ref<bool(const Scope &,
                                        const HeldPointers::Call &)>
                    Each) const;
  /// Is the object that the reference P is bound to always a local variable of
  /// the caller, which has no other way into the outermost function?
  bool bindsLocal(const clang::ParmVarDecl *P) const;
  bool alwaysBoundToLocal(const clang::ParmVarDecl *P) const;
  /// What the pointers in a parameter of the outermost function can point to.
  Roots ofOpenObject(const clang::ParmVarDecl *P) const;
  /// Is the outermost function's object always a local variable of its caller?
  bool ownObjectIsLocal() const;
  /// That object, one member of it, and what the pointer F of it points to.
  Roots ofOwnObject() const;
  Roots ofOwnMember(const clang::FieldDecl *F) const;
  Roots ofOwnPointers(const clang::FieldDecl *F) const;
  bool isOnTheWay(const clang::VarDecl *V) const;
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
  mutable llvm::DenseMap<const clang::ValueDecl *, HeldPointers> Held;
  unsigned Depth = 0;
  KnownBlock Block;
  PartsOfBlock Parts;
  /// Guards against pointers that are assigned from one another.
  mutable llvm::SmallVector<const clang::VarDecl *, 4> Resolving;
  /// The same of a reference member of an object; null: of `*this`.
  mutable llvm::SmallVector<std::pair<const clang::VarDecl *, Part>, 2>
      ResolvingPart;
  mutable bool ResolvingThis = false;
  /// Once they were asked for.
  mutable std::optional<bool> OwnIsLocal;
  mutable llvm::DenseMap<const clang::ParmVarDecl *, bool> Binds;
  /// One for this scope, its callers and its callees.
  std::shared_ptr<Effort> Spent;
};

/// Does the call \p C in \p In reach the local variable \p V by another operand
/// than \p As?
bool isHandedTwice(const Scope &In, const HeldPointers::Call &C,
                   const clang::Expr *As, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_CODE_SCOPE_H
