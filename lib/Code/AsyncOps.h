// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function copies asynchronously and where it waits, in all spellings:
// primitives, cooperative groups, cuda::pipeline, cuda::barrier and its C form,
// inline assembly, and functions of the author's around one of these. Sources:
// CUDA C++ Programming Guide ("Asynchronous Data Copies"), libcu++.
#ifndef KPIPE_CODE_ASYNCOPS_H
#define KPIPE_CODE_ASYNCOPS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kpipe {

enum class AsyncKind {
  Copy,
  Commit,        ///< also `producer_commit`
  Wait,          ///< until at most Keep groups are in flight
  WaitOldest,    ///< `consumer_wait`
  WaitAll,       ///< also for what is not committed
  Acquire,       ///< `producer_acquire`
  Release,       ///< `consumer_release`
  Quit,          ///< the thread has no more to do with the pipeline
  GroupWait,     ///< `cg::wait`: waits, then a barrier of the group
  ArriveOn,      ///< a barrier's phase waits for the copies so far
  ArriveBehind,  ///< an arrival once the thread's copies so far are there
  Arrive,        ///< at a cuda::barrier
  WaitForToken,  ///< of an arrival
  ArriveAndWait, ///< both
  WaitForParity, ///< until the phase of that parity has ended
  Unseen,        ///< code without a name, or out of sight, that may copy
  InHelper,      ///< a call of a function whose operations are in its body
  Other          ///< asynchronous in a way that is not understood
};

struct AsyncOp {
  AsyncKind Kind = AsyncKind::Other;
  /// The call or the assembly, and the whole statement that it is, with the
  /// macro around it; the latter is null where it is part of something else.
  const clang::Stmt *At = nullptr;
  const clang::Stmt *Statement = nullptr;
  /// The pipeline or the barrier; null for what has none.
  const clang::VarDecl *Object = nullptr;
  /// Which of them, where Object is an array.
  unsigned Element = 0;
  /// All threads of the block share the object.
  bool OfBlock = false;
  unsigned Keep = 0;
  /// Of a barrier's phase, as the body's own expression.
  const clang::Expr *Parity = nullptr;
  /// Says whether there is anything to wait for, and does not wait.
  bool Asks = false;

  /// Of a copy: where to and from, as pointers or numbers.
  const clang::Expr *To = nullptr, *From = nullptr;
  std::optional<unsigned> Bytes;
  const clang::Expr *BytesGiven = nullptr; ///< where they are not constant
  unsigned Unit = 1; ///< how many bytes each of BytesGiven stands for
  /// What both addresses are multiples of, where the call promises it.
  unsigned Alignment = 1;
  /// The bytes that are copied; zeros follow. Or the bytes of zeros.
  const clang::Expr *Kept = nullptr, *Zeros = nullptr;
  /// These are what was asked of zero, not the number that it was.
  bool OnlyTruth = false;
  /// All bytes are copied where this holds, or does not; else all are zeros.
  const clang::Expr *KeptIf = nullptr;
  bool KeptUnless = false;
  /// It copies only where this is not 0.
  const clang::Expr *Predicate = nullptr;
  /// The group whose threads share the copy; null: each thread its own.
  const clang::Expr *Group = nullptr;
  /// The function that has the operations, with its body.
  const clang::FunctionDecl *Helper = nullptr;

  /// What counts its copies.
  std::pair<const clang::VarDecl *, unsigned> counter() const {
    return {Object, Element};
  }
};

class AsyncOps;

/// The bodies that were read, each once: helpers are called often.
class AsyncCode {
public:
  explicit AsyncCode(clang::ASTContext &Context, bool LooksForUnseen = true)
      : Context(Context), LooksForUnseen(LooksForUnseen) {}
  clang::ASTContext &Context;
  /// Are calls without a name taken for copies? Only tests say no.
  const bool LooksForUnseen;

  /// What is in the body of a function; null if there is none to see, or while
  /// it is read: a function that calls itself.
  const AsyncOps *of(const clang::FunctionDecl *F);

private:
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<AsyncOps>> Read;
};

/// What is in one function's body, in the order of the source.
class AsyncOps {
public:
  AsyncOps(const clang::FunctionDecl *Body, AsyncCode &Code);

  std::vector<AsyncOp> All;

  /// The statement around S in the body, or null.
  const clang::Stmt *parent(const clang::Stmt *S) const {
    return Parents.lookup(S);
  }
  /// Is S in Within, or the same?
  bool within(const clang::Stmt *S, const clang::Stmt *Within) const;

private:
  AsyncCode &Code;
  bool InLambda = false;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;

  void walk(const clang::Stmt *S);
  void addUnseen(const clang::Stmt *S);
  const clang::Stmt *statementOf(const clang::Stmt *S) const;
  void keepMacrosWhole(const clang::Stmt *Body);
  bool isNothingElse(const clang::Stmt *S) const;
};

} // namespace kpipe

#endif // KPIPE_CODE_ASYNCOPS_H
