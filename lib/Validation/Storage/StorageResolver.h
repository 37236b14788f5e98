// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk that StorageRoots.h asks for: from an expression to the variables
// that its storage belongs to, through pointers, references, calls and
// closures. Private to the validation.
#ifndef KPIPE_VALIDATION_STORAGERESOLVER_H
#define KPIPE_VALIDATION_STORAGERESOLVER_H

#include "StorageRoots.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Adds what To does not have yet.
void add(Storages &To, const Storages &From);

/// One question, with the steps that it may take. Asked of the same object
/// again, it has fewer.
class StorageResolver {
public:
  Storages lvalue(const clang::Expr *E, const CallFrame &In);
  Storages pointer(const clang::Expr *E, const CallFrame &In);

private:
  friend class ObjectPointers;

  static constexpr unsigned MaxDepth = 40; ///< of calls, beside the steps
  unsigned Steps = 0;
  /// Variables that are being resolved, each in its frame; or a reference member
  /// of an object.
  struct Variable {
    const clang::VarDecl *Var;
    const CallFrame *In;
    const clang::FieldDecl *Member = nullptr;
    bool operator==(const Variable &O) const {
      return Var == O.Var && In == O.In && Member == O.Member;
    }
  };
  llvm::SmallVector<Variable, 8> Open;
  /// Member functions whose unnamed object is being resolved, or a reference
  /// member of it.
  llvm::SmallVector<
      std::pair<const clang::FunctionDecl *, const clang::FieldDecl *>, 4>
      OpenThis;

  /// Too many steps were made.
  bool spent();

  Storages ofVariable(const clang::VarDecl *V, const CallFrame &In,
                      const clang::DeclRefExpr *Mention = nullptr);
  Storages ofReference(const clang::VarDecl *V, const CallFrame &In);
  bool isCallersLocal(const clang::ParmVarDecl *P, const CallFrame &In);
  Storages pointerVariable(const clang::VarDecl *V, const CallFrame &In);
  /// What a pointer parameter of the outermost function can be.
  Storages parameter(const clang::ParmVarDecl *P, const CallFrame &In);
  /// What the operators that make pointers yield.
  Storages pointerOfCast(const clang::CastExpr *C, const CallFrame &In);
  Storages pointerOfUnary(const clang::UnaryOperator *U, const CallFrame &In);
  Storages pointerOfBinary(const clang::BinaryOperator *B, const CallFrame &In);
  /// \param Of what is looked for in each value that the callee returns.
  Storages returned(
      const clang::CallExpr *C, const CallFrame &In,
      llvm::function_ref<Storages(const clang::Expr *, const CallFrame &)> Of);

  Storages ofThis(const CallFrame &In);
  /// Calls Each with every call of In's function, which nobody in sight calls,
  /// and the frame it stands in; false if Each is once or calls may be hidden.
  bool
  eachCall(const CallFrame &In,
           llvm::function_ref<bool(const clang::CallExpr *, const CallFrame &)>
               Each);
  Storages reached(const clang::Expr *E, const CallFrame &In);
  /// Does no operand of the call but As reach what As is?
  bool isHandedOnce(const clang::CallExpr *C, const clang::Expr *As,
                    const Storages &Own, const CallFrame &Outer);
  /// Is a reference parameter always bound to a local variable of the caller
  /// that is handed over by no other name?
  bool bindsLocal(const clang::ParmVarDecl *P, const CallFrame &In);
  /// Is the object of In's function, which nobody in sight calls, always a local
  /// variable of the function that calls it?
  bool ownIsLocal(const CallFrame &In);

  /// The frame that V is a variable of.
  static const CallFrame *frameOf(const clang::VarDecl *V, const CallFrame &In);
  static const clang::Expr *argument(const clang::ParmVarDecl *P,
                                     const CallFrame &In);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_STORAGERESOLVER_H
