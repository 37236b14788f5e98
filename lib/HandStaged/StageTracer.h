// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run behind a trace: StageTracer.cpp has statements and the loop,
// StageMentions.cpp the expressions that name memory.
#ifndef KPIPE_HANDSTAGED_STAGETRACER_H
#define KPIPE_HANDSTAGED_STAGETRACER_H

#include "Code/Effects.h"
#include "StageTrace.h"
#include "Validation/Interpreter/ThreadRun.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include <unordered_map>

namespace kpipe {

class StageTracer final : public ThreadRun {
public:
  StageTracer(const TraceOf &Of, int64_t Host, unsigned MostTurns);
  StageTrace run();

private:
  enum class Flow { Next, Break, Continue, Return, Stop };
  enum class Role { None, Read, Write };

  const TraceOf &Of;
  const int64_t Host;
  const unsigned MostTurns;
  StageTrace Trace;
  int Turn = -1;
  bool After = false;
  unsigned Maybe = 0;
  /// Variables whose values come from global, or from shared memory.
  VarSet Global, Shared;
  /// The statement that is run stores values that come from there.
  bool FromGlobal = false, FromShared = false;
  /// What is known stays where it is while more is asked.
  std::unordered_map<const clang::Stmt *, Effects> Known;
  std::unordered_map<const clang::Expr *, Roots> KnownRoots;
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const AsyncOp *, 1>>
      OpsAt;

  // Statements.
  Flow walk(const clang::Stmt *S);
  Flow branch(const clang::IfStmt *I);
  Flow loop(const clang::Stmt *S);
  Flow turns(const clang::Stmt *S);
  Flow simple(const clang::Stmt *S);
  Flow opaque(const clang::Stmt *S);
  bool holdsLoop(const clang::Stmt *S) const;
  bool usesMemory(const clang::Stmt *S);
  bool storesOrWaits(const clang::Stmt *S);
  const Effects &effects(const clang::Stmt *S);
  RunValue asked(const clang::Expr *Condition);

  // Mentions.
  void touch(const clang::Stmt *S, Role R);
  void choice(const clang::ConditionalOperator *C, Role R);
  void mention(const clang::Expr *E, Role R);
  void call(const clang::CallExpr *C);
  void argumentsOf(const clang::CallExpr *C, const MemoryAccess &A);
  void assembly(const clang::GCCAsmStmt *A);
  void operation(const AsyncOp &Op);
  void place(TraceKind Kind, const clang::Stmt *At, const RunValue &Where,
             const clang::VarDecl *Array);
  TraceEvent &add(TraceKind Kind, const clang::Stmt *At);
  const Roots &rootsOf(const clang::Expr *E);
  RunValue addressOf(const clang::Expr *E);

  std::optional<RunValue> given(const clang::VarDecl *V) override;
  RunValue held(const clang::Expr *E) override;
};

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_STAGETRACER_H
