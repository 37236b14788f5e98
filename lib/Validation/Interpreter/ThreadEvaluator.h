// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of device code evaluated for one thread with concrete numbers, as
// far as they are integers and addresses. What memory holds is not known.
#ifndef KPIPE_VALIDATION_THREADEVALUATOR_H
#define KPIPE_VALIDATION_THREADEVALUATOR_H

#include "ThreadMemory.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>

namespace kpipe {

class ThreadEvaluator : public ThreadMemory {
public:
  /// A store that is executed, and the place that it writes; or a read, as the
  /// lvalue that is read.
  using Stored =
      llvm::function_ref<void(const clang::Expr *Store, const RunValue &Place)>;

  bool spent() const { return Steps >= MostSteps; }
  /// Does S hold a store to report, or call a function that does?
  bool mayStore(const clang::Stmt *S);
  /// Since it was asked last: a store to report may have been executed, and nobody
  /// knows whether, or where.
  /// A barrier is reported without a place.
  bool missedStores() { return std::exchange(Missed, false); }

protected:
  /// \param Watched stores to report. \param MostSteps of all runs together.
  ThreadEvaluator(const clang::ASTContext &Context,
                  const clang::FunctionDecl *Function, const clang::Stmt *Start,
                  llvm::DenseSet<const clang::Expr *> Watched,
                  unsigned MostSteps)
      : ThreadMemory(Context, Function, Start), Watched(std::move(Watched)),
        MostSteps(MostSteps) {}

  const Stored *Report = nullptr;
  RunValue Returned; ///< by the function that ended last

  bool tick() { return ++Steps < MostSteps && !Invalid; }
  RunValue value(const clang::Expr *E);
  RunValue place(const clang::Expr *E);
  /// E is evaluated, whatever it yields.
  void evaluate(const clang::Expr *E) {
    if (E->isGLValue())
      place(E);
    else
      value(E);
  }
  RunValue initialValue(const clang::VarDecl *V) override {
    return V->getType()->isReferenceType() ? place(V->getInit())
                                           : value(V->getInit());
  }
  /// False if nobody knows what happens behind a function's body.
  virtual bool runBody(const clang::Stmt *Body) = 0;
  /// S is not run, though the thread may run it.
  void missed(const clang::Stmt *S) { Missed |= mayStore(S); }
  /// What an object in memory holds, which no variable is.
  virtual RunValue held(const clang::Expr *) { return {}; }
  /// Is a part of an object known to held(), and then told of its new value?
  virtual bool holds(const clang::Expr *) { return false; }
  virtual void hold(const clang::Expr *, const RunValue &) {}
  /// A barrier, to report like a store.
  virtual bool waits(const clang::Stmt *) const { return false; }

private:
  const llvm::DenseSet<const clang::Expr *> Watched;
  const unsigned MostSteps;
  unsigned Steps = 0;
  bool Missed = false;
  llvm::DenseMap<const clang::Stmt *, bool> Stores; ///< what holds a store
  llvm::SmallVector<const clang::FunctionDecl *, 4> Calls;

  RunValue unknown(const clang::Expr *E) {
    forget(E);
    missed(E);
    return {};
  }
  /// The thread's own variable that E names, if its value may be changed here.
  const clang::VarDecl *changeable(const clang::Expr *E) const;
  clang::QualType steppedBy(clang::QualType Address) const;
  RunValue choice(const clang::ConditionalOperator *C);
  RunValue binary(const clang::BinaryOperator *B);
  RunValue logical(const clang::BinaryOperator *B);
  RunValue compound(const clang::CompoundAssignOperator *C);
  RunValue unary(const clang::UnaryOperator *U);
  RunValue step(const clang::UnaryOperator *U);
  RunValue converted(const clang::CastExpr *C);
  RunValue loaded(const clang::Expr *From);
  RunValue element(const clang::ArraySubscriptExpr *A);
  bool isInWhole(const clang::Expr *Row, const RunValue &Base,
                 const RunValue &Index, clang::QualType One);
  RunValue member(const clang::MemberExpr *M);
  /// A store to report, or a read, of the lvalue At.
  void report(const clang::Expr *What, const clang::Expr *At);
  RunValue assign(const clang::Expr *Store, const clang::Expr *To,
                  const clang::Expr *From);
  RunValue call(const clang::CallExpr *C);
  RunValue extreme(const clang::CallExpr *C, bool Least);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_THREADEVALUATOR_H
