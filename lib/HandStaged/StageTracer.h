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

  // Objects of the thread's own, and what changes places, see StageObjects.cpp.
  using Part = std::pair<const clang::VarDecl *, const clang::FieldDecl *>;
  /// Numbers and pointers in objects of which nothing but parts is named.
  llvm::DenseMap<Part, RunValue> Parts;
  llvm::DenseMap<const clang::VarDecl *, bool> OnlyParts;
  /// The member of such an object; none for others.
  std::optional<Part> partOf(const clang::Expr *E);
  bool namesPartsOnly(const clang::VarDecl *V);
  /// Does E change a variable of the thread's?
  bool changes(const clang::Expr *E);
  bool holds(const clang::Expr *E) override { return partOf(E).has_value(); }
  void hold(const clang::Expr *E, const RunValue &X) override;
  void forget(const clang::Stmt *S) override;
  void declareParts(const clang::VarDecl *V);
  void findSwaps();
  /// Variables that a call exchanges, first one null for others.
  static std::pair<const clang::VarDecl *, const clang::VarDecl *>
  exchangedBy(const clang::Stmt *S);
};

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_STAGETRACER_H
