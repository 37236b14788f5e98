// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of one thread in a run: their values now, what they came with,
// and which of them nobody knows because they have another name. What the host
// decides (parameters, the block's index) is drawn from a sample.
#ifndef KPIPE_VALIDATION_THREADMEMORY_H
#define KPIPE_VALIDATION_THREADMEMORY_H

#include "Code/GroupQueries.h"
#include "RunValue.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace kpipe {

class ThreadMemory {
public:
  /// What one run is given.
  struct Sample {
    unsigned Number = 0;
    std::array<unsigned, 3> Block{1, 1, 1}, Thread{0, 0, 0};
  };

  /// Begins with another thread or another sample.
  void begin(const Sample &S);
  /// Nothing is known any longer of what S may change.
  virtual void forget(const clang::Stmt *S);

protected:
  /// \param Start the statement before which a run begins, in \p Function; what
  /// stands in front of it is looked up where it is needed.
  ThreadMemory(const clang::ASTContext &Context,
               const clang::FunctionDecl *Function, const clang::Stmt *Start);
  virtual ~ThreadMemory() = default;

  const clang::ASTContext &Context;
  bool Invalid = false; ///< the original has no meaning for this sample
  RunArithmetic Numbers{Context, Invalid};
  /// What is evaluated stands in front of Start, and changes nothing.
  bool LooksBack = false;

  /// Notes the variables of a function that have other names than their own.
  void read(const clang::FunctionDecl *F);
  /// These mentions in a function that was read give their variables no other
  /// name, although the source looks like it.
  void areOwnNames(const clang::FunctionDecl *F,
                   const llvm::DenseSet<const clang::Expr *> &Mentions);
  RunValue variable(const clang::VarDecl *V);
  RunValue set(const clang::VarDecl *V, const RunValue &X) {
    return Now[V] = X;
  }
  /// `threadIdx.x` and its kin.
  RunValue builtin(const clang::PseudoObjectExpr *P) const;
  /// What a group says of this thread.
  RunValue group(const GroupQuery &Q) const {
    return RunValue::of(Q.value(Given.Block, Given.Thread));
  }
  /// The value of an integer constant expression.
  std::optional<int64_t> constant(const clang::Expr *E);
  const llvm::SmallVectorImpl<const clang::VarDecl *> &
  changedBy(const clang::Stmt *S);
  /// Of a variable with an initialiser: its value, or what it is bound to.
  virtual RunValue initialValue(const clang::VarDecl *V) = 0;
  /// What a parameter or constant memory is given, where the samples here do not
  /// do.
  virtual std::optional<RunValue> given(const clang::VarDecl *) {
    return std::nullopt;
  }

private:
  const clang::Stmt *const Start;
  Sample Given;
  /// Variables that are changed before Start.
  llvm::DenseSet<const clang::VarDecl *> Unsteady;
  /// Variables that are reached by other names than their own, in the functions
  /// that were read for that.
  llvm::DenseSet<const clang::VarDecl *> Renamed;
  llvm::DenseSet<const clang::FunctionDecl *> Functions;
  /// Values now, and those that variables came with, as far as asked for.
  llvm::DenseMap<const clang::VarDecl *, RunValue> Now, Before;
  // The same for all threads.
  llvm::DenseMap<const clang::Expr *, std::optional<int64_t>> Constants;
  llvm::DenseMap<const clang::Stmt *,
                 llvm::SmallVector<const clang::VarDecl *, 2>>
      Changed;

  /// The value that V has when a run begins.
  RunValue cameWith(const clang::VarDecl *V);
  /// What a host may pass: a large number, small ones, none.
  RunValue sampled(llvm::StringRef Name, clang::QualType Type) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_THREADMEMORY_H
