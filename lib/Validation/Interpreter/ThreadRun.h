// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs statements of device code for one thread with concrete numbers, as far
// as they are integers and addresses: indices, guards, loops, helper functions.
// What hangs on something that is not known is not run.
#ifndef KPIPE_VALIDATION_THREADRUN_H
#define KPIPE_VALIDATION_THREADRUN_H

#include "ThreadEvaluator.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

class ThreadRun : public ThreadEvaluator {
public:
  /// \param Start the statement before which a run begins, in \p Function; what
  /// stands in front of it is looked up where it is needed.
  /// \param Watched stores to report. \param MostSteps of all runs together.
  ThreadRun(const clang::ASTContext &Context,
            const clang::FunctionDecl *Function, const clang::Stmt *Start,
            llvm::DenseSet<const clang::Expr *> Watched, unsigned MostSteps)
      : ThreadEvaluator(Context, Function, Start, std::move(Watched),
                        MostSteps) {}

  /// Runs S. False if nobody knows what happens behind it: S is left, the
  /// program has no meaning there, or there were too many steps.
  bool run(const clang::Stmt *S, Stored Report);
  /// S, which was run last, left the function.
  bool returned() const { return Returns; }
  /// True, false, or not known.
  std::optional<bool> condition(const clang::Expr *E, Stored Report);

private:
  bool Returns = false;
  enum class Flow { Next, Break, Continue, Return, Stuck };

  bool runBody(const clang::Stmt *Body) override {
    return statement(Body) != Flow::Stuck;
  }
  Flow statement(const clang::Stmt *S);
  Flow branch(const clang::IfStmt *I);
  Flow skip(const clang::Stmt *S);
  Flow loop(const clang::Stmt *Whole, const clang::Expr *Cond,
            const clang::Expr *Inc, const clang::Stmt *Body, bool TestFirst);
  void declare(const clang::VarDecl *V);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_THREADRUN_H
