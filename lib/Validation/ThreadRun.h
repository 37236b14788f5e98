// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs statements of device code for one thread with concrete numbers, as far as
// they are integers and addresses: indices, guards, loops, helper functions. What
// the host decides (parameters, the block's index) is drawn from a sample; what
// memory holds is not known, and what hangs on it is not run.
#ifndef KPIPE_VALIDATION_THREADRUN_H
#define KPIPE_VALIDATION_THREADRUN_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace kpipe {

/// A number, an address, or what is not known.
struct RunValue {
  enum class Kind { Unknown, Number, Address } What = Kind::Unknown;
  int64_t Number = 0;                    ///< of an address: bytes from Base
  const clang::VarDecl *Base = nullptr; ///< of an address
  bool Sampled = false;                 ///< hangs on what the host decides

  bool isNumber() const { return What == Kind::Number; }
  bool isAddress() const { return What == Kind::Address; }
};

class ThreadRun {
public:
  /// What one run is given.
  struct Sample {
    unsigned Number = 0;
    std::array<unsigned, 3> Block{1, 1, 1}, Thread{0, 0, 0};
  };
  /// A store that is executed, and the place that it writes.
  using Stored =
      llvm::function_ref<void(const clang::Expr *Store, const RunValue &Place)>;

  /// \param Start the statement before which a run begins, in \p Function; what
  /// stands in front of it is looked up where it is needed.
  /// \param Watched stores to report. \param MostSteps of all runs together.
  ThreadRun(const clang::ASTContext &Context,
            const clang::FunctionDecl *Function, const clang::Stmt *Start,
            llvm::DenseSet<const clang::Expr *> Watched, unsigned MostSteps);

  /// Begins with another thread or another sample.
  void begin(const Sample &S);
  /// Runs S. False if nobody knows what happens behind it: S is left, the
  /// program has no meaning there, or there were too many steps.
  bool run(const clang::Stmt *S, Stored Report);
  /// True, false, or not known.
  std::optional<bool> condition(const clang::Expr *E, Stored Report);
  /// Nothing is known any longer of what S may change.
  void forget(const clang::Stmt *S);
  bool spent() const { return Steps >= MostSteps; }

private:
  enum class Flow { Next, Break, Continue, Return, Stuck };

  const clang::ASTContext &Context;
  const clang::Stmt *const Start;
  const llvm::DenseSet<const clang::Expr *> Watched;
  const unsigned MostSteps;
  unsigned Steps = 0;
  Sample Given;
  bool Invalid = false; ///< the original has no meaning for this sample
  const Stored *Report = nullptr;
  /// Variables that are changed before Start.
  llvm::DenseSet<const clang::VarDecl *> Unsteady;
  /// Variables that are reached by other names than their own, in the functions
  /// that were read for that.
  llvm::DenseSet<const clang::VarDecl *> Renamed;
  llvm::DenseSet<const clang::FunctionDecl *> Functions;
  /// Values now, and those that variables came with, as far as asked for.
  llvm::DenseMap<const clang::VarDecl *, RunValue> Now, Before;
  bool LooksBack = false;
  RunValue Returned;
  llvm::SmallVector<const clang::FunctionDecl *, 4> Calls;
  // The same for all threads.
  llvm::DenseMap<const clang::Expr *, std::optional<int64_t>> Constants;
  llvm::DenseMap<const clang::Stmt *,
                 llvm::SmallVector<const clang::VarDecl *, 2>>
      Changed;

  bool tick() { return ++Steps < MostSteps && !Invalid; }

  void read(const clang::FunctionDecl *F);
  Flow statement(const clang::Stmt *S);
  Flow skip(const clang::Stmt *S);
  Flow loop(const clang::Stmt *Whole, const clang::Expr *Cond,
            const clang::Expr *Inc, const clang::Stmt *Body, bool TestFirst);
  void declare(const clang::VarDecl *V);

  RunValue value(const clang::Expr *E);
  RunValue place(const clang::Expr *E);
  RunValue binary(const clang::BinaryOperator *B);
  RunValue unary(const clang::UnaryOperator *U);
  RunValue converted(const clang::CastExpr *C);
  RunValue call(const clang::CallExpr *C);
  RunValue builtin(const clang::PseudoObjectExpr *P);
  RunValue variable(const clang::VarDecl *V);
  RunValue cameWith(const clang::VarDecl *V);
  RunValue assign(const clang::Expr *Store, const clang::Expr *To,
                  const clang::Expr *From);
  RunValue computed(clang::BinaryOperatorKind Op, RunValue A, RunValue B,
                    clang::QualType Type, clang::QualType Of);
  RunValue moved(RunValue Pointer, const RunValue &By, clang::QualType Element,
                 bool Back);
  RunValue number(int64_t N, bool Sampled = false) const {
    return {RunValue::Kind::Number, N, nullptr, Sampled};
  }
  RunValue sampled(llvm::StringRef Name, clang::QualType Type) const;
  RunValue fitted(RunValue V, clang::QualType Type) const;
  std::optional<int64_t> constant(const clang::Expr *E);
  const llvm::SmallVectorImpl<const clang::VarDecl *> &
  changedBy(const clang::Stmt *S);
  RunValue unknown(const clang::Expr *E) {
    forget(E);
    return {};
  }
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_THREADRUN_H
